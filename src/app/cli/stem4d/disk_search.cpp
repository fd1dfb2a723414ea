// Finds the disks of the scan that a command line names.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/disk_search.h"

#include <fmt/format.h>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/strain_input.h"
#include "base/plural.h"
#include "domain/crystal/fields.h"

namespace sluice::cli {
namespace {

using stem4d::BraggVectors;
using stem4d::DiskReason;

ProgressBar bar_of(Scan const& scan) {
    return ProgressBar("finding disks",
                       scan.resident() ? ProgressBar::Counts::steps : ProgressBar::Counts::bytes);
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
    if (basis || known.error().code == Code::cancelled) return known.error();
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

Result<DiskSearch::Begun> DiskSearch::begin(DataOptions& data, Lattice const& lattice) const {
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
    SLUICE_TRY(Scan scan, Scan::load(std::move(series.members.front()), load));
    bar.reset();
    Begun begun{std::move(scan), run, now(), {}};
    begun.run.progress = [](auto, auto) { return !interrupted(); };
    SLUICE_TRY(begun.made, plan(begun.scan, data, lattice, begun.run));
    return begun;
}

Result<DisksMade> DiskSearch::plan(Scan const& scan, DataOptions const& data,
                                   Lattice const& lattice, stem4d::Options const& run) const {
    DisksMade made;
    SLUICE_TRY(made.probe, source.make(scan, data, run));
    SLUICE_TRY(made.setup, stem4d::plan_disks(scan, made.probe.probe, disks, run));
    if (lattice.known || made.setup.options.mode == stem4d::DiskMode::overlapping)
        SLUICE_CHECK(know(scan, lattice, run, made.setup));
    return made;
}

Status DiskSearch::find(Scan const& scan, Lattice const& lattice, stem4d::Options const& run,
                        DisksMade& made) {
    if (made.setup.lattice) {
        SLUICE_TRY(auto known, stem4d::refine_lattice(scan, made.setup, lattice.options, run));
        made.vectors = std::move(known.vectors);
        made.fit = std::move(known.fit);
    } else {
        SLUICE_TRY(made.vectors, stem4d::find_disks(scan, made.setup, run));
    }
    made.counts = counts_of(made.vectors);
    return {};
}

DisksMade DiskSearch::end(Begun begun) {
    DisksMade made = std::move(begun.made);
    made.seconds = now() - begun.start;
    made.scan = description_of(begun.scan);
    made.scan_step_nm = begun.scan.scan_step_nm();
    made.notes = begun.scan.notes();
    made.notes.insert(made.notes.end(), made.probe.notes.begin(), made.probe.notes.end());
    for (std::string const& text : begun.scan.warnings())
        say(stderr, "sluice: warning: {}\n", text);
    return made;
}

Result<DisksMade> DiskSearch::find(DataOptions& data, Lattice const& lattice) const {
    SLUICE_TRY(Begun begun, begin(data, lattice));
    {
        ProgressBar bar = bar_of(begun.scan);
        begun.run.progress = bar.callback();
        SLUICE_CHECK(find(begun.scan, lattice, begun.run, begun.made));
    }
    return end(std::move(begun));
}

Result<DisksMade> DiskSearch::find_to(std::string const& path, DataOptions& data,
                                      Lattice const& lattice) const {
    SLUICE_TRY(Begun begun, begin(data, lattice));
    {
        ProgressBar bar = bar_of(begun.scan);
        begun.run.progress = bar.callback();
        SLUICE_TRY(begun.made.counts,
                   stem4d::find_disks_to(path, begun.scan, begun.made.setup, begun.run));
    }
    return end(std::move(begun));
}

Status DiskSearch::preview(DiskPreview const& preview, std::string const& stem, DataOptions& data,
                           Lattice const& lattice) const {
    // Some patterns are read, and not all: the bits are the same.
    data.load.residency = Residency::stream;
    SLUICE_TRY(Begun const begun, begin(data, lattice));
    std::string const& path = data.paths.front();
    SLUICE_TRY(auto const shown, preview.show(begun.scan, begun.made.setup, begun.run.device,
                                              path.substr(path.rfind('/') + 1), stem));
    std::vector<std::string> files;
    SLUICE_CHECK(data.common.trace.save("unit", files));
    return finish_preview(shown, begun.made.setup.why, data.common.json);
}

stem4d::WrittenVectors counts_of(BraggVectors const& v) {
    stem4d::WrittenVectors counts{v.scan_shape, v.detector_shape, v.size()};
    for (DiskReason const r : v.reason) ++counts.reasons[static_cast<std::size_t>(r)];
    return counts;
}

Json reasons_of(stem4d::WrittenVectors const& counts) {
    Json j;
    for (std::size_t r = 0; r < stem4d::disk_reasons; ++r)
        j[stem4d::name_of(static_cast<DiskReason>(r))] = counts.reasons[r];
    return j;
}

std::vector<std::string> lines_of_reasons(stem4d::WrittenVectors const& counts) {
    std::vector<std::string> lines;
    for (std::size_t r = 1; r < stem4d::disk_reasons; ++r)
        if (counts.reasons[r] > 0)
            lines.push_back(fmt::format("{}: {}", plural(counts.reasons[r], "pattern"),
                                        stem4d::name_of(static_cast<DiskReason>(r))));
    return lines;
}

}  // namespace sluice::cli
