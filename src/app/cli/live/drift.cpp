// Drift between the scans that `sluice live` receives.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/live/command.h"
#include "app/cli/live/record_report.h"
#include "app/cli/stem4d/coordinates.h"

namespace sluice::cli {

Result<std::optional<std::size_t>> drift_image(LiveCommand const& c,
                                               stem4d::AnalysisPlan const& plan) {
    auto const& detectors = plan.images[0].detectors;
    auto const refuse = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (c.scans == 1) {
        if (!c.drift.empty() || c.correct_drift)
            return refuse(fmt::format("{} has no effect (drift is between scans) give --scans",
                                      c.correct_drift ? "--correct-drift" : "--drift"));
        return std::optional<std::size_t>();
    }
    if (c.drift == "none" && c.correct_drift)
        return refuse("--correct-drift needs the drift; leave --drift none out");
    if (c.drift == "none" || detectors.empty()) return std::optional<std::size_t>();
    auto const found =
        std::ranges::find(detectors, c.drift.empty() ? "bf" : c.drift, &stem4d::Detector::name);
    if (found == detectors.end() && !c.drift.empty())
        return refuse(fmt::format(
            "--drift '{}' is none of the detectors; name one of them, or none", c.drift));
    return std::optional(found == detectors.end()
                             ? std::size_t{0}
                             : static_cast<std::size_t>(found - detectors.begin()));
}

Status add_drift_of(LiveCommand& c, stem4d::AnalysisPlan const& plan,
                    std::vector<ResultImage> const& images, Scan const& scan, JobReport& report) {
    SLUICE_TRY(auto const which, drift_image(c, plan));
    if (!which) return {};
    if (!c.drifts) c.drifts.emplace(c.job.output, images[*which].map.name);
    // A scan of another shape is a result, too.
    if (auto const added = c.drifts->add(images[*which].map, scan, report); !added) {
        std::string const text = "drift is not measured: " + added.error().message;
        report.notes.push_back(text);
        warn_at_once(text);
        return {};
    }
    SLUICE_TRY([[maybe_unused]] auto const files, c.drifts->save_table(provenance_of(scan, {})));
    return {};
}

Status finish_drift(LiveCommand& c) {
    if (!c.drifts || !c.correct_drift) return {};
    JobReport report;
    report.json["series"] = c.drifts->scans();
    report.json["coordinates"] = coordinates;
    report.json["seconds"] = 0;
    report.provenance = provenance_of(std::vector<std::string>{c.address});
    std::vector<ResultImage> const images = c.drifts->mean(report);
    return finish(c.job, "drift", images, report);
}

}  // namespace sluice::cli
