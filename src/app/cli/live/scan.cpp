// One live scan: from its stream to its results.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/live/control_report.h"
#include "app/cli/live/record_report.h"
#include "app/cli/live/watch.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/coordinates.h"
#include "app/cli/stem4d/image_output.h"
#include "app/cli/stem4d/moment_output.h"
#include "app/cli/stem4d/pattern_output.h"
#include "base/file.h"
#include "base/plural.h"
#include "domain/stem4d/parse_places.h"

namespace sluice::cli {
namespace {

constexpr std::size_t most_runs = 1000;  // of gaps that a report lists
constexpr std::string_view no_room =
    "; what came is measured. Give a larger --memory-limit, or record the scan (--record) without "
    "--strain and --ptychography, and measure the recording by `sluice stem4d`";

bool needs_disk(stem4d::AnalysisPlan const& plan) {
    auto const its = [](stem4d::Detector const& d) { return stem4d::needs_disk(d); };
    return std::ranges::any_of(plan.images[0].detectors, its) ||
           (plan.moments[0].within && its(*plan.moments[0].within));
}

// Given, or measured on the first frames, which stay to be read.
Result<std::optional<stem4d::Disk>> disk_for(LiveCommand const& c, stem4d::AnalysisPlan const& plan,
                                             stem4d::LiveScan const& live, LoadOptions const& load,
                                             JobReport& report) {
    if (!c.job.disk.empty()) {
        SLUICE_TRY(stem4d::Disk const disk, stem4d::parse_disk(c.job.disk));
        return std::optional(disk);
    }
    if (!needs_disk(plan)) return std::optional<stem4d::Disk>();
    index count = 0;
    SLUICE_TRY(stem4d::Disk const disk, live.find_disk(c.disk_frames, load, count));
    report.notes.push_back(fmt::format("the disk was measured on the first {}",
                                       plural(count, "frame that came", "frames that came")));
    return std::optional(disk);
}

Json to_json(std::vector<FrameRun> const& gaps) {
    Json runs = Json::array();
    for (std::size_t i = 0; i < std::min(gaps.size(), most_runs); ++i)
        runs.push_back({gaps[i].first, gaps[i].count});
    return runs;
}

// What happened on the way, in the report and as warnings.
void tell(LiveCommand const& c, stem4d::LiveScan const& scan, Json live, JobReport& report) {
    auto const warn = [&](std::string const& text) {
        report.notes.push_back(text);
        say(stderr, "sluice: warning: {}\n", text);
    };
    std::string const why = scan.why_ended();
    live["series"] = scan.series();
    live["ended"] = why.empty() ? "complete" : why;
    live["gaps"] = to_json(scan.gaps());
    live["problems"] = Json::array();
    if (!why.empty()) warn("the scan ended early: " + why);
    if (index const lost = scan.state().gaps; lost > 0)
        warn(fmt::format("{} of {} frames are lost", lost, live["frames"].get<index>()));
    for (StreamProblem const& p : scan.problems()) {
        live["problems"].push_back({{"what", p.what}, {"count", p.count}, {"first", p.first}});
        warn(text_of(p));
    }
    report.lines.push_back(fmt::format(
        "{} of {} frames came; the one that waited longest waited {:.0f} ms, {} "
        "waited at once",
        live["received"].get<index>(), live["frames"].get<index>(),
        live["lag_ms"]["most"].get<double>(), live["most_frames_waiting"].get<index>()));
    live["most_bytes_allowed"] = c.stream.live.memory;
    report.json["live"] = std::move(live);
}

Result<std::vector<ResultGroup>> results_of(LiveCommand& c, Stem4dJob const& job,
                                            stem4d::AnalysisPlan const& plan,
                                            stem4d::Analyzed const& found, Scan const& scan,
                                            JobReport& report) {
    std::vector<ResultImage> images(plan.images[0].detectors.size());
    ImageOutput const out{plan.images[0].detectors, c.images.mean, job.output};
    SLUICE_CHECK(out.add(found.images[0], scan, 0, images, report.json));
    SLUICE_CHECK(add_drift_of(c, plan, images, scan, report));
    report.notes.insert(report.notes.end(), found.images[0].notes.begin(),
                        found.images[0].notes.end());
    MomentOutput moments(job, {}, c.ricom);
    SLUICE_CHECK(
        moments.add(found.moments[0].com, found.moments[0].phase, scan, 0, report.json, report));
    std::vector<ResultImage> patterns(1);
    SLUICE_CHECK(add_pattern(found.patterns[0][0], stem4d::Pattern::sum, {}, scan, 0, job.output,
                             patterns[0]));
    return std::vector<ResultGroup>{{"virtual_images", std::move(images)},
                                    {"center_of_mass", std::move(moments).take()},
                                    {"diffraction_pattern", std::move(patterns)}};
}

// What looks at the scan while it comes, and works on it at its end.
struct Looks {
    std::optional<LiveStrain> strain = {};
    std::optional<LivePtychography> ptychography = {};

    std::vector<LiveLook*> list() {
        std::vector<LiveLook*> all;
        if (strain) all.push_back(&*strain);
        if (ptychography) all.push_back(&*ptychography);
        return all;
    }
};

// What cannot be measured is no reason to lose the rest.
void tell_failed(LiveCommand& c, std::string const& what, Error const& why, JobReport& report) {
    report.notes.push_back(what + ": " + why.text());
    warn_at_once(report.notes.back());
    if (!c.late_error) c.late_error = why;
}

Status add_looks(LiveCommand& c, Looks const& looks, Scan const& scan, Device const& device,
                 Stem4dJob const& job, JobReport& report, std::vector<ResultGroup>& groups) {
    if (looks.strain)
        if (Status const done = looks.strain->finish(scan, device, report, groups); !done)
            tell_failed(c, "strain cannot be measured", done.error(), report);
    if (!looks.ptychography) return {};
    // It may take long, and may be stopped: the rest is there before.
    SLUICE_TRY([[maybe_unused]] auto const files, save_all(job, groups, report));
    if (Status const done = looks.ptychography->finish(scan, device, report, groups); !done)
        tell_failed(c, looks.ptychography->left(), done.error(), report);
    return {};
}

struct Seen {
    Scan scan;
    stem4d::Analyzed found;
};

// All frames stay in memory, so that they can be looked at meanwhile.
Result<Seen> look_and_keep(LiveCommand& c, stem4d::AnalysisPlan const& plan,
                           stem4d::Decided const& decided, stem4d::LiveScan& live, LoadOptions load,
                           stem4d::Options const& options, std::span<LiveLook* const> looks) {
    load.residency = Residency::memory;
    load.layout = Layout::planes;
    SLUICE_CHECK(live.keep(load));
    follow(live, looks, options.device);
    if (Status const kept = live.finish(); !kept) {
        if (kept.error().code != Code::out_of_memory) return kept.error();
        // What came before is a result, too.
        Error why = kept.error();
        why.message += no_room;
        warn_at_once(why.text());
        if (!c.late_error) c.late_error = std::move(why);
    }
    Scan scan = live.kept()->so_far();
    SLUICE_TRY(stem4d::Analyzed found, stem4d::analyze(scan, plan, decided, options));
    return Seen{std::move(scan), std::move(found)};
}

Result<Seen> look(LiveCommand& c, stem4d::AnalysisPlan const& plan, stem4d::LiveScan& live,
                  LoadOptions const& load, stem4d::Options const& options, Looks& looks,
                  JobReport& report) {
    stem4d::Decided decided;
    SLUICE_TRY(decided.disk, disk_for(c, plan, live, load, report));
    if (decided.disk) report.add(*decided.disk, 0);
    if (auto const all = looks.list(); !all.empty())
        return look_and_keep(c, plan, decided, live, load, options, all);
    SLUICE_TRY(Scan scan, Scan::load(live.dataset(), load));
    SLUICE_TRY(stem4d::Analyzed found, stem4d::analyze_live(scan, plan, decided, options));
    return Seen{std::move(scan), std::move(found)};
}

}  // namespace

Status run_live_scan(LiveCommand& c, stem4d::LiveScan& live, std::string const& folder) {
    double const begin = now();
    Stem4dJob job = c.job;
    job.output.folder = folder;
    SLUICE_CHECK(make_folder(folder));
    SLUICE_TRY(stem4d::AnalysisPlan const plan, live_plan(c));
    JobReport report;
    report.json["series"] = 1;
    report.json["coordinates"] = coordinates;
    SLUICE_TRY(LoadOptions load, job.data.load_options(1));
    load.residency = Residency::stream;
    stem4d::Options options;
    options.references = c.references;
    SLUICE_TRY(options.device, job.data.common.chosen_device());
    SLUICE_TRY(options.trace, job.data.common.trace.on(options.device.threads()));
    load.trace = options.trace;

    LiveWatch watch(live);
    Looks looks;
    if (c.strain.wanted) looks.strain.emplace(c.strain, job, live);
    if (c.ptychography.wanted) looks.ptychography.emplace(c.ptychography, job, live);
    auto const seen = look(c, plan, live, load, options, looks, report);
    if (!seen && !c.stream.live.record.prefix.empty()) {
        // A picture that failed is no reason to lose the recording.
        warn_at_once("the scan is no more looked at, but recorded: " + seen.error().text());
        live.only_record();
        live.wait();
        report_record(c, live, report);
    }
    if (!seen) {
        // Where what should start the scan failed, that is the reason.
        live.end("the work on its frames ended");
        live.wait();
        report_control(c, live, report);
        return c.late_error ? *c.late_error : seen.error();
    }
    auto const& [scan, found] = *seen;
    live.wait();
    report_record(c, live, report);
    report_control(c, live, report);
    tell(c, live, watch.stop(), report);
    report.json["members"].push_back(description_of(scan));
    if (c.references.any()) report.json["references"].push_back(to_json(scan, c.references));
    report.provenance = provenance_of(scan, {});
    SLUICE_TRY(auto groups, results_of(c, job, plan, found, scan, report));
    SLUICE_CHECK(add_looks(c, looks, scan, options.device, job, report, groups));
    report.json["seconds"] = now() - begin;
    return finish(job, groups, report);
}

}  // namespace sluice::cli
