// measure_origins of a scan: each frame's centre of mass in a window that follows it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/with_type.h"
#include "domain/crystal/calibrate/origins.h"
#include "domain/crystal/calibrate/window_frames.h"
#include "domain/crystal/detect/sample.h"
#include "kernel/planes/read_frame.h"
#include "scan/fold.h"

namespace sluice::crystal {

void WindowFrames::add(Partial& p, std::span<store::Unit const> units) const {
    std::vector<double> counts(static_cast<std::size_t>(grid.rows * grid.cols));
    for (store::Unit const& unit : units)
        for (index f = 0; f < unit.frames; ++f) {
            index const frame = unit.first_frame + f;
            double* const to = p.at(0, frame);
            if (!lost.empty() && lost[static_cast<std::size_t>(frame)]) {
                to[0] = static_cast<double>(stem4d::OriginReason::not_measured);
                continue;
            }
            if (unit.is_tile)
                planes::read_frame(unit.tile, grid, f, counts.data());
            else
                with_detector_type(unit.values.dtype, [&]<class T>(T) {
                    std::copy_n(static_cast<T const*>(unit.values.data) + f * unit.values.pixels(),
                                counts.size(), counts.data());
                });
            WindowOrigin const found = settle(setup, counts);
            to[0] = static_cast<double>(found.reason);
            to[1] = found.at.row, to[2] = found.at.col;
            std::ranges::copy(found.covariance, to + 3);
        }
}

}  // namespace sluice::crystal

namespace sluice::stem4d {
namespace {

// Of the disk's radius. It leaves room for what moves within a frame, and none for neighbours.
constexpr double usual_window = 1.5;

}  // namespace

Result<Origins> measure_origins(Scan const& scan, OriginOptions const& options,
                                Options const& run) {
    SLUICE_CHECK(crystal::check_origin_options(options));
    SLUICE_CHECK(refuse_references(run.references, "origins are"));
    if (options.method != OriginMethod::automatic && options.method != OriginMethod::mass)
        return Error{Code::invalid_argument,
                     "the method is one of disks (a scan has frames) find its disks first, or "
                     "choose mass"};
    Device const device = run.device.host();
    Disk disk;
    if (run.disk) {
        disk = *run.disk;
    } else {
        SLUICE_TRY(disk, find_disk(scan, device));
    }
    PixelGrid const grid = pixel_grid(scan);
    double const radius = options.radius > 0 ? options.radius : usual_window * disk.radius;
    if (!(radius > disk.radius))
        return Error{
            Code::invalid_argument,
            fmt::format("a window of {:g} px about a disk of {:.3g} px (it holds the whole "
                        "disk) give a larger one",
                        radius, disk.radius)};
    auto const bad = crystal::weightless(scan);
    bool const any_bad = std::ranges::any_of(bad, [](auto b) { return b != 0; });
    crystal::WindowSetup setup{
        .shape = scan.detector_shape(),
        .bad = any_bad ? std::span<std::uint8_t const>(bad) : std::span<std::uint8_t const>(),
        .radius = radius / grid.bin,
        .least = disk.radius / grid.bin};
    if (options.guess) setup.start = grid.to_array(*options.guess);
    store::Plan const& plan = scan.plan();
    crystal::WindowFrames const analysis{setup, plan.grid(), plan.frames(), plan.lost};
    fold::FoldOptions const fold{.device = device, .progress = run.progress, .trace = run.trace};
    SLUICE_TRY(auto const found, fold::fold(scan, analysis, fold));
    Origins out = crystal::no_origins(scan.scan_shape(), OriginReason::not_measured);
    out.radius = radius, out.method = OriginMethod::mass;
    for (index p = 0; p < std::ssize(out.reason); ++p) {
        double const* const n = found.data() + crystal::WindowFrames::numbers * p;
        auto const reason = static_cast<OriginReason>(n[0]);
        double const square = grid.bin * grid.bin;
        if (reason == OriginReason::measured)
            crystal::put_origin(out, p, grid.to_detector({n[1], n[2]}),
                                {n[3] * square, n[4] * square, n[5] * square});
        else
            out.reason[static_cast<std::size_t>(p)] = reason;
    }
    out.notes.push_back(fmt::format(
        "origins are centres of mass within {:.3g} px of themselves, iterated; {} of {} patterns "
        "have one",
        radius, crystal::measured(out), out.reason.size()));
    if (any_bad)
        out.notes.emplace_back(
            "pixels that are masked, and those opposite to them, take no part in the origins");
    return out;
}

}  // namespace sluice::stem4d
