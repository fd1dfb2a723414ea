// Finds the disks of the scan that a command line names.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/disk_search.h"

#include <fmt/format.h>

#include <array>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/strain_input.h"
#include "base/plural.h"
#include "domain/crystal/fields.h"

namespace sluice::cli {
namespace {

using stem4d::BraggVectors;
using stem4d::DiskReason;

constexpr std::size_t disk_reasons = 8;  // of DiskReason

std::array<index, disk_reasons> counts_of(BraggVectors const& v) {
    std::array<index, disk_reasons> counts{};
    for (DiskReason const r : v.reason) ++counts[static_cast<std::size_t>(r)];
    return counts;
}

// Without a lattice in the sample every pattern is searched, which may still find one.
Status know(Scan const& scan, DiskSearch::Lattice const& lattice, stem4d::Options const& run,
            stem4d::DiskSetup& setup) {
    Dataset const& data = scan.dataset();
    std::optional<stem4d::LatticeBasis> basis;
    if (lattice.basis) {
        SLUICE_TRY(basis, parse_basis(*lattice.basis, {data.rows, data.cols}));
    }
    auto known = stem4d::know_lattice(scan, setup, basis, run);
    if (known) {
        setup = *std::move(known);
        return {};
    }
    if (basis || interrupted()) return known.error();
    setup.why.push_back(
        fmt::format("A sample shows no lattice, so that every pattern is searched "
                    "for disks: {}.",
                    known.error().message));
    return {};
}

}  // namespace

void DiskSearch::add(Verb const& app) {
    source.add(app);
    app.add_fields(stem4d::disk_fields(), disks);
}

std::vector<std::string> DiskSearch::names() {
    std::vector<std::string> all = TemplateSource::names();
    stem4d::DiskOptions const usual;
    for (auto const& field : stem4d::disk_fields()) all.push_back(option_of(field, usual).name);
    return all;
}

Result<DisksMade> DiskSearch::find(DataOptions& data, Lattice const& lattice) const {
    SLUICE_TRY(Series series, data.open());
    if (series.members.size() != 1)
        return Error{Code::invalid_argument,
                     fmt::format("disks are found in one acquisition, and these are {}; name one "
                                 "file",
                                 series.members.size())};
    SLUICE_TRY(LoadOptions load, data.load_options(1));
    stem4d::Options run;
    SLUICE_TRY(run.device, data.common.chosen_device());
    SLUICE_TRY(run.trace, data.common.trace.on(run.device.threads()));
    load.trace = run.trace;
    std::optional<ProgressBar> bar;
    load.progress = bar.emplace("reading").callback();
    SLUICE_TRY(Scan const scan, Scan::load(std::move(series.members.front()), load));
    bar.reset();
    double const start = now();
    DisksMade made;
    run.progress = [](auto, auto) { return !interrupted(); };
    SLUICE_TRY(made.probe, source.make(scan, data, run));
    SLUICE_TRY(made.setup, stem4d::plan_disks(scan, made.probe.probe, disks, run));
    if (lattice.known || made.setup.options.mode == stem4d::DiskMode::overlapping)
        SLUICE_CHECK(know(scan, lattice, run, made.setup));
    bar.emplace("finding disks",
                scan.resident() ? ProgressBar::Counts::steps : ProgressBar::Counts::bytes);
    run.progress = bar->callback();
    if (made.setup.lattice) {
        SLUICE_TRY(auto known, stem4d::refine_lattice(scan, made.setup, lattice.options, run));
        made.vectors = std::move(known.vectors);
        made.fit = std::move(known.fit);
    } else {
        SLUICE_TRY(made.vectors, stem4d::find_disks(scan, made.setup, run));
    }
    bar.reset();
    made.seconds = now() - start;
    made.scan = description_of(scan);
    made.notes = scan.notes();
    made.notes.insert(made.notes.end(), made.probe.notes.begin(), made.probe.notes.end());
    for (std::string const& text : scan.warnings())
        fmt::print(stderr, "sluice: warning: {}\n", text);
    return made;
}

Json reasons_of(BraggVectors const& vectors) {
    Json j;
    auto const counts = counts_of(vectors);
    for (std::size_t r = 0; r < disk_reasons; ++r)
        j[stem4d::name_of(static_cast<DiskReason>(r))] = counts[r];
    return j;
}

std::vector<std::string> lines_of_reasons(BraggVectors const& vectors) {
    std::vector<std::string> lines;
    auto const counts = counts_of(vectors);
    for (std::size_t r = 1; r < disk_reasons; ++r)
        if (counts[r] > 0)
            lines.push_back(fmt::format("{}: {}", plural(counts[r], "pattern"),
                                        stem4d::name_of(static_cast<DiskReason>(r))));
    return lines;
}

}  // namespace sluice::cli
