// decide_analysis(): what a plan leaves open, decided on a sample of its scan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/crystal/analyze/check_plan.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

bool needs_disk(AnalysisPlan const& plan) {
    return std::ranges::any_of(plan.images,
                               [](ImagesPart const& part) {
                                   return std::ranges::any_of(part.detectors, [](auto const& d) {
                                       return stem4d::needs_disk(d);
                                   });
                               }) ||
           std::ranges::any_of(plan.moments, [](MomentsPart const& part) {
               return part.within && stem4d::needs_disk(*part.within);
           });
}

std::string sampled(std::array<index, 2> scan) {
    index const step = disk_sample_step(scan);
    if (step == 1) return fmt::format("all {} scan points", scan[0] * scan[1]);
    auto const some = [&](index n) { return (n + step - 1) / step; };
    return fmt::format("{} of {} scan points, one of each {}x{}", some(scan[0]) * some(scan[1]),
                       scan[0] * scan[1], step, step);
}

Status decide_disk(Scan const& scan, AnalysisPlan const& plan, Options const& options,
                   Decided& out) {
    out.disk = options.disk ? options.disk : plan.disk;
    if (!out.disk) {
        SLUICE_TRY(out.disk, find_disk(scan, options.device));
        out.why.push_back(fmt::format("The bright-field disk is that of the mean pattern of {}.",
                                      sampled(scan.scan_shape())));
    }
    return {};
}

Result<FittedTemplate> of_vacuum(Scan const& scan, DisksPart const& part, Options const& run) {
    OpenOptions open_options = part.open_vacuum;
    open_options.scan_shape.reset();
    LoadOptions load = scan.options();
    load.scan_region.reset();
    load.scan_bin = load.scan_step = 1;
    load.progress = {};
    load.trace = nullptr;
    SLUICE_TRY(Dataset dataset, open(part.vacuum, open_options));
    SLUICE_TRY(Scan const vacuum, Scan::load(std::move(dataset), load));
    return fit_template(vacuum, part.fit, run);
}

Result<DecidedDisks> decide_disks(Scan const& scan, DisksPart const& part, Options const& run) {
    DecidedDisks out;
    if (part.probe) {
        out.fitted.probe = *part.probe;
    } else if (!part.vacuum.empty()) {
        SLUICE_TRY(out.fitted, of_vacuum(scan, part, run));
    } else {
        SLUICE_TRY(out.fitted, fit_template(scan, part.fit, run));
    }
    SLUICE_TRY(out.setup, plan_disks(scan, out.fitted.probe, part.options, run));
    return out;
}

}  // namespace

Result<Decided> decide_analysis(Scan const& scan, AnalysisPlan const& plan,
                                Options const& options) {
    SLUICE_CHECK(crystal::check_plan(plan));
    Decided out;
    if (needs_disk(plan)) SLUICE_CHECK(decide_disk(scan, plan, options, out));
    for (DisksPart const& part : plan.disks) {
        SLUICE_TRY(DecidedDisks disks, decide_disks(scan, part, options));
        std::string const prefix = part.name.empty() ? "" : part.name + ": ";
        out.why.push_back(
            fmt::format("{}The template of the disks is {}.", prefix, disks.fitted.probe.source));
        for (std::string const& sentence : disks.setup.why) out.why.push_back(prefix + sentence);
        out.disks.push_back(std::move(disks));
    }
    return out;
}

}  // namespace sluice::stem4d
