// Centre of mass of every frame.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/stem4d/moment_frames.h"
#include "domain/stem4d/remote_scan.h"
#include "scan/describe.h"
#include "scan/fold.h"

namespace sluice::stem4d {
namespace {

CenterOfMass divide(std::span<double const> moments, std::array<index, 2> shape,
                    PixelGrid const& grid) {
    CenterOfMass c;
    for (auto* a : {&c.sum, &c.row, &c.col, &c.magnitude})
        *a = Array<double>::zeros({shape[0], shape[1]});
    double n = 0;
    for (std::size_t f = 0; f < c.sum.values.size(); ++f) {
        double const sum = moments[3 * f];
        c.sum.values[f] = sum;
        // Less than nothing, as after a subtracted background, has no centre.
        bool const some = sum > 0;
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        Point const at = grid.to_detector(
            {some ? moments[3 * f + 1] / sum : nan, some ? moments[3 * f + 2] / sum : nan});
        c.row.values[f] = at.row, c.col.values[f] = at.col;
        if (!some) continue;
        c.reference.row += c.row.values[f];
        c.reference.col += c.col.values[f];
        ++n;
    }
    if (n > 0) c.reference.row /= n, c.reference.col /= n;
    for (std::size_t f = 0; f < c.sum.values.size(); ++f)
        c.magnitude.values[f] =
            std::hypot(c.row.values[f] - c.reference.row, c.col.values[f] - c.reference.col);
    return c;
}

// Positions whose negative values drive the centre of mass off the pixels that were read.
index count_outside(Scan const& scan, CenterOfMass const& c) {
    PixelGrid const grid = pixel_grid(scan);
    auto const [rows, cols] = scan.detector_shape();
    auto const within = [](double v, index n) {
        return v >= -0.5 && v <= static_cast<double>(n) - 0.5;
    };
    index outside = 0;
    for (std::size_t f = 0; f < c.sum.values.size(); ++f) {
        Point const at = grid.to_array({c.row.values[f], c.col.values[f]});
        outside += at.row == at.row && !(within(at.row, rows) && within(at.col, cols));
    }
    return outside;
}

void describe_coordinates(Scan const& scan, CenterOfMass& out) {
    index const empty = std::ranges::count_if(out.sum.values, [](double v) { return !(v > 0); });
    if (empty > 0)
        out.notes.push_back(
            fmt::format("{} of {} positions have no counts there (their sum is not above 0): "
                        "their centre of mass is NaN",
                        empty, out.sum.size()));
    if (index const outside = count_outside(scan, out); outside > 0)
        out.notes.push_back(
            fmt::format("{} of {} positions have their centre of mass outside of the detector "
                        "(negative values drive it there); set those to 0 before",
                        outside, out.sum.size()));
    store::Plan const& plan = scan.plan();
    if (plan.rows * plan.det_bin > plan.detector_region.rows ||
        plan.cols * plan.det_bin > plan.detector_region.cols)
        out.notes.push_back(
            "the bins at the far edges are smaller; their counts are taken at the middle of a "
            "whole bin");
}

}  // namespace

Result<CenterOfMass> center_of_mass(Scan const& scan, std::optional<Detector> const& mask,
                                    Options const& options) {
    planes::Grid const grid = scan.plan().grid();
    Compiled compiled = compile_all(grid);
    std::optional<Disk> disk;
    std::vector<std::string> notes = scan.notes();
    if (mask) {
        if (needs_disk(*mask)) {
            disk = options.disk;
            if (!disk) {
                SLUICE_TRY(disk, find_disk(scan, options.device));
            }
        }
        SLUICE_TRY(Array<float> const weights,
                   rasterize(scan, *mask, disk.value_or(Disk{}), &notes));
        compiled = compile(weights, scan.bad_pixels());
        SLUICE_CHECK(check_valid(compiled, mask->name));
        if (compiled.weighted)
            return Error{
                Code::invalid_argument,
                "a centre of mass is taken over a mask of pixels (these are weights); give a "
                "detector without weights"};
    }
    std::vector<double> moments;
    store::Tally tally;
    SLUICE_TRY(auto remote, RemoteScan::on(scan, options.device));
    if (remote) {
        Step const step(options.trace, Phase::fold, 0);
        moments.resize(static_cast<std::size_t>(3 * scan.plan().frames()));
        SLUICE_CHECK(remote->moments(compiled, moments));
    } else {
        MomentFrames const analysis{compiled, options.device, grid, scan.plan().frames()};
        stream::FoldOptions const fold_options{.device = options.device,
                                               .need = blocks_needed({&compiled, 1}, grid),
                                               .batch = MomentFrames::batch,
                                               .progress = options.progress,
                                               .trace = options.trace,
                                               .tally = &tally};
        SLUICE_TRY(moments, stream::fold(scan, analysis, fold_options));
    }
    CenterOfMass out = divide(moments, scan.scan_shape(), pixel_grid(scan));
    out.disk = disk;
    out.notes = std::move(notes);
    stream::describe(tally, scan.dataset(), out.notes);
    describe_coordinates(scan, out);
    return out;
}

}  // namespace sluice::stem4d
