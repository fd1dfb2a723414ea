// Coordinates of arrays against those of the detector, and detectors on a scan's pixels.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/stem4d/detector_errors.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

template <class Move>
Detector moved(Detector d, double scale, Move const& move) {
    if (d.center) d.center = move(*d.center);
    if (d.unit == Detector::Unit::pixels) d.inner *= scale, d.outer *= scale;
    for (Point& corner : d.corners) corner = move(corner);
    if (d.shape == Detector::Shape::rectangle && d.unit != Detector::Unit::mrad)
        d.from = move(d.from), d.to = move(d.to);
    return d;
}

bool has_pixels(Detector const& d) {
    return d.shape == Detector::Shape::mask || d.shape == Detector::Shape::weights;
}

bool has_shape(Detector const& d, index rows, index cols) {
    return d.from.row == static_cast<double>(rows) && d.from.col == static_cast<double>(cols) &&
           static_cast<index>(d.pixels.size()) == rows * cols;
}

// The mean over the detector pixels that bin (row, col) is made of.
double mean_in_bin(Detector const& d, store::Plan const& plan, index row, index col) {
    Region const region = plan.detector_region;
    double sum = 0;
    index n = 0;
    for (index r = row * plan.det_bin; r < std::min((row + 1) * plan.det_bin, region.rows); ++r)
        for (index c = col * plan.det_bin; c < std::min((col + 1) * plan.det_bin, region.cols);
             ++c) {
            auto const w = d.pixels[static_cast<std::size_t>((region.row + r) * plan.stored.cols +
                                                             region.col + c)];
            sum += d.shape == Detector::Shape::weights ? static_cast<double>(w) : w != 0 ? 1 : 0;
            ++n;
        }
    return sum / static_cast<double>(n);
}

// A mask or weights of the full detector, as the scan's pixels see them.
Detector on_pixels(Detector const& d, store::Plan const& plan, std::vector<std::string>* notes) {
    Detector out = d;
    out.from = {static_cast<double>(plan.rows), static_cast<double>(plan.cols)};
    out.pixels.clear();
    bool const weights = d.shape == Detector::Shape::weights;
    index cut = 0;
    for (index r = 0; r < plan.rows; ++r)
        for (index c = 0; c < plan.cols; ++c) {
            double const mean = mean_in_bin(d, plan, r, c);
            cut += mean != 0 && mean != 1;
            out.pixels.push_back(weights ? static_cast<float>(mean) : mean >= 0.5 ? 1.0F : 0.0F);
        }
    if (notes && plan.det_bin > 1 && (cut > 0 || weights))
        notes->push_back(
            weights ? fmt::format("weights '{}' were averaged over the binned pixels", d.name)
                    : fmt::format("mask '{}' cuts {} binned pixels; a pixel counts if at least "
                                  "half of it lies in the mask",
                                  d.name, cut));
    return out;
}

// Nothing can be measured where all pixels are bad.
Status check_valid(Array<float> const& weights, std::span<std::uint8_t const> bad,
                   std::string const& name) {
    for (std::size_t i = 0; i < weights.values.size(); ++i)
        if (weights.values[i] != 0 && (bad.empty() || bad[i] == 0)) return {};
    return Error{Code::invalid_argument,
                 fmt::format("detector '{}' covers no valid pixel (every pixel in it is masked); "
                             "move or enlarge it, or see which pixels are left out",
                             name)};
}

}  // namespace

PixelGrid pixel_grid(Scan const& scan) {
    store::Plan const& plan = scan.plan();
    double const bin = static_cast<double>(plan.det_bin), middle = (bin - 1) / 2;
    return {{static_cast<double>(plan.detector_region.row) + middle,
             static_cast<double>(plan.detector_region.col) + middle},
            bin};
}

Detector to_detector(Detector detector, PixelGrid const& grid) {
    return moved(std::move(detector), grid.bin, [&](Point p) { return grid.to_detector(p); });
}
Detector to_array(Detector detector, PixelGrid const& grid) {
    return moved(std::move(detector), 1 / grid.bin, [&](Point p) { return grid.to_array(p); });
}
Disk to_detector(Disk disk, PixelGrid const& grid) {
    return {grid.to_detector(disk.center), disk.radius * grid.bin, disk.quality};
}
Disk to_array(Disk disk, PixelGrid const& grid) {
    return {grid.to_array(disk.center), disk.radius / grid.bin, disk.quality};
}

Result<Array<float>> rasterize(Scan const& scan, Detector const& given, Disk const& disk,
                               std::vector<std::string>* notes) {
    Detector detector = given;
    if (given.unit == Detector::Unit::mrad) {
        SLUICE_TRY(detector, in_pixels(given, scan, disk));
        if (notes && given.shape != Detector::Shape::rectangle)
            notes->push_back(fmt::format(
                "detector '{}' covers {:.4g} to {:.4g} mrad, which are {:.4g} to {:.4g} pixels",
                given.name, given.inner, given.outer, detector.inner, detector.outer));
    }
    store::Plan const& plan = scan.plan();
    PixelGrid const grid = pixel_grid(scan);
    bool const full = has_pixels(detector) && !has_shape(detector, plan.rows, plan.cols) &&
                      has_shape(detector, plan.stored.rows, plan.stored.cols);
    SLUICE_CHECK(check_finite(detector));
    auto mask =
        full ? rasterize(on_pixels(detector, plan, notes), scan.detector_shape(), {})
             : rasterize(to_array(detector, grid), scan.detector_shape(), to_array(disk, grid));
    if (mask) SLUICE_CHECK(check_valid(*mask, plan.bad, detector.name));
    if (mask || has_pixels(detector)) return mask;
    Point const last =
        grid.to_detector({static_cast<double>(plan.rows - 1), static_cast<double>(plan.cols - 1)});
    return Error{
        Code::invalid_argument,
        fmt::format("detector '{}' covers no pixel (those that were read are centred on rows {:g} "
                    "to {:g} and columns {:g} to {:g} of the detector, and {}); move or enlarge it",
                    detector.name, grid.origin.row, last.row, grid.origin.col, last.col,
                    place_of(detector, detector.center.value_or(disk.center)))};
}

}  // namespace sluice::stem4d
