// `sluice stem4d drift`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/drift_output.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    std::string detector = "bf";
    bool correct = false;
};

ScanMap image_of(stem4d::VirtualImages const& found, Scan const& scan) {
    auto const shape = scan.scan_shape();
    return make_map(found.names[0], stem4d::sum_unit(scan),
                    {{shape[0], shape[1]}, found.values.values}, Missing::not_measured);
}

Status run(Command& c) {
    SLUICE_TRY(stem4d::Detector const detector, stem4d::parse_detector(c.detector));
    DriftOutput drift(c.job.output, detector.name);
    SLUICE_TRY(JobReport report,
               for_each_scan(
                   c.job,
                   [&](Scan const& scan, stem4d::Options const& options, index member,
                       JobReport& r) -> Status {
                       SLUICE_TRY(auto const found,
                                  stem4d::virtual_image(scan, std::span(&detector, 1), options));
                       if (found.disk) r.add(*found.disk, member);
                       auto const added = drift.add(image_of(found, scan), scan, r);
                       if (added) return {};
                       return Error{added.error().code, added.error().message, scan.dataset().path};
                   }));
    if (drift.scans() < 2)
        report.notes.emplace_back("one scan has no drift: give several, or a series");
    SLUICE_TRY(report.files, drift.save_table(*report.provenance));
    std::vector<ResultImage> images;
    if (c.correct) images = drift.mean(report);
    return finish(c.job, "drift", images, report);
}

}  // namespace

void add_drift(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("drift", "how far the scans of a series lie apart");
    auto const c = std::make_shared<Command>();
    c->job.add(*app);
    app->add_option("--detector", c->detector,
                    "whose images are compared, as `sluice stem4d virtual-image` has it")
        ->capture_default_str();
    app->add_flag("--correct-drift", c->correct,
                  "also write the mean of the images without their drift");
    app->footer(
        "Each scan is compared with the first one, to a part of a point; where that tells "
        "nothing,\n"
        "with the last one whose drift is known. What may be chance is said, and is no number.\n"
        "drift.csv has a line for each scan: drift and errors in points, and how much its lines\n"
        "jitter.\n"
        "\n"
        "Examples:\n"
        "  sluice stem4d drift run/scan_0001_master.h5 run/scan_0002_master.h5 --out drift\n"
        "  sluice stem4d drift series/ --detector haadf --correct-drift --out drift --format tiff");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
