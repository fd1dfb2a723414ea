// find_disks() of a scan, in memory or streamed, into memory or a file.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/crystal/detect/decide.h"
#include "domain/crystal/detect/disk_work.h"
#include "domain/crystal/detect/find_patterns.h"
#include "domain/crystal/detect/scan_setup.h"
#include "domain/crystal/memory.h"
#include "fold/fold_in_order.h"
#include "store/plan.h"

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

Result<std::vector<FoundPattern>> find_patterns(Scan const& scan, stem4d::DiskSetup const& setup,
                                                stem4d::Options const& run) {
    SLUICE_TRY(auto const work, DiskWork::begin(scan, setup, run));
    return fold::fold(work->units(), work->analysis(), work->run_options());
}

}  // namespace sluice::crystal

namespace sluice::stem4d {

Result<BraggVectors> find_disks(Scan const& scan, DiskSetup const& setup, Options const& run) {
    SLUICE_TRY(auto const work, crystal::DiskWork::begin(scan, setup, run));
    // How many disks there are is not known: some are taken for granted.
    index const frames = scan.plan().frames();
    constexpr index few = 4;
    SLUICE_CHECK(crystal::check_memory(
        crystal::found_bytes(frames, few * frames) + crystal::column_bytes(frames, few * frames),
        fmt::format("disks of {} patterns", frames)));
    SLUICE_TRY(auto const found, fold::fold(work->units(), work->analysis(), work->run_options()));
    return work->columns_of_all(found);
}

Result<WrittenVectors> find_disks_to(std::string const& path, Scan const& scan,
                                     DiskSetup const& setup, Options const& run) {
    SLUICE_TRY(auto const work, crystal::DiskWork::begin(scan, setup, run));
    auto const& stored = scan.plan().stored;
    SLUICE_TRY(auto writer,
               VectorWriter::create(path, scan.scan_shape(), {stored.rows, stored.cols}));
    SLUICE_CHECK(fold::fold_in_order(
        work->units(), work->analysis(), work->run_options(),
        [&](index, auto found) { return writer.add(work->columns_of(std::move(found).take())); }));
    return std::move(writer).finish();
}

}  // namespace sluice::stem4d
