// find_disks() of a scan, in memory or streamed.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/decide.h"
#include "domain/crystal/detect/disk_frames.h"
#include "domain/crystal/detect/find_patterns.h"
#include "domain/crystal/detect/sample.h"
#include "domain/crystal/detect/scan_setup.h"
#include "scan/fold.h"

namespace sluice::crystal {
namespace {

stem4d::KnownLattice in_array(stem4d::KnownLattice known, stem4d::PixelGrid const& grid) {
    auto const shorter = [&](stem4d::Point p) {
        return stem4d::Point{p.row / grid.bin, p.col / grid.bin};
    };
    stem4d::LatticeBasis& l = known.basis;
    l = {grid.to_array(l.origin), shorter(l.a), shorter(l.b)};
    known.by_row = shorter(known.by_row), known.by_col = shorter(known.by_col);
    return known;
}

// Values above are not to be trusted; an integer at its type's end is cut off there.
double saturation_of(Scan const& scan) {
    store::Plan const& plan = scan.plan();
    auto const& known = scan.dataset().saturation;
    double least = known && plan.det_bin == 1 ? static_cast<double>(*known) : 1e9;
    if (plan.dtype == DType::u8) least = std::min(least, 254.5);
    if (plan.dtype == DType::u16) least = std::min(least, 65534.5);
    return least;
}

}  // namespace

Result<FinderSetup> setup_for(Scan const& scan, stem4d::DiskSetup const& setup,
                              std::span<std::uint8_t const> bad) {
    double const bin = stem4d::pixel_grid(scan).bin;
    SLUICE_TRY(stem4d::DiskOptions options, decided(setup.options, setup.probe, bin));
    options.least_distance /= bin;
    options.fit_radius /= bin;
    options.background = setup.background;
    FinderSetup own{.probe = setup.probe,
                    .detector_bin = scan.plan().det_bin,
                    .options = std::move(options),
                    .shape = scan.detector_shape(),
                    .bad = bad,
                    .saturation = saturation_of(scan),
                    .columns = scan.scan_shape()[1]};
    if (setup.lattice) own.lattice = in_array(*setup.lattice, stem4d::pixel_grid(scan));
    return own;
}

namespace {

// A scan in memory has nothing to read: its progress is that of its units.
fold::RunOptions disk_run(Scan const& scan, fold::FoldOptions const& fold,
                          stem4d::Options const& run) {
    fold::RunOptions options = fold::run_options(scan, fold);
    if (run.progress && scan.resident())
        options.progress = [&run, all = scan.plan().tiles()](index units) {
            return run.progress(static_cast<std::uint64_t>(units), static_cast<std::uint64_t>(all));
        };
    return options;
}

}  // namespace

Result<std::vector<FoundPattern>> find_patterns(Scan const& scan, stem4d::DiskSetup const& setup,
                                                stem4d::Options const& run) {
    store::Plan const& plan = scan.plan();
    Device const device = run.device.host();
    auto const bad = weightless(scan);
    SLUICE_TRY(FinderSetup const own, setup_for(scan, setup, bad));
    SLUICE_TRY(Finder const finder, Finder::make(own, device));
    RoomPool rooms;
    FindDiskFrames const analysis{finder, plan.grid(), plan.frames(), plan.lost, rooms};
    store::Tally tally;
    fold::FoldOptions const fold{
        .device = device, .progress = run.progress, .trace = run.trace, .tally = &tally};
    return fold::fold(fold::ScanUnits(scan, fold), analysis, disk_run(scan, fold, run));
}

}  // namespace sluice::crystal

namespace sluice::stem4d {

Result<BraggVectors> find_disks(Scan const& scan, DiskSetup const& setup, Options const& run) {
    SLUICE_TRY(auto const found, crystal::find_patterns(scan, setup, run));
    store::Plan const& plan = scan.plan();
    return crystal::collect(found, scan.scan_shape(), {plan.stored.rows, plan.stored.cols},
                            pixel_grid(scan));
}

}  // namespace sluice::stem4d
