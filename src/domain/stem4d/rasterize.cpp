// Detectors on pixels: a pixel belongs to a shape when its centre is inside or on the edge.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/stem4d/detector_errors.h"
#include "domain/stem4d/round_runs.h"

namespace sluice::stem4d {
namespace {

// A radius as a user means it: 1/10 + 2/10 must not lose the pixels that lie exactly on 3/10.
constexpr double edge = 1e-9;

bool inside_polygon(std::vector<Point> const& corners, double row, double col) {
    bool inside = false;
    for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
        Point const a = corners[i], b = corners[j];
        double const cross = (b.col - a.col) * (row - a.row) - (b.row - a.row) * (col - a.col);
        bool const between =
            row >= std::min(a.row, b.row) - edge && row <= std::max(a.row, b.row) + edge &&
            col >= std::min(a.col, b.col) - edge && col <= std::max(a.col, b.col) + edge;
        if (std::abs(cross) <= edge && between) return true;
        if ((a.row > row) != (b.row > row) &&
            col < (b.col - a.col) * (row - a.row) / (b.row - a.row) + a.col)
            inside = !inside;
    }
    return inside;
}

bool contains(Detector const& d, Point center, double outer, double row, double col) {
    double const dr = row - center.row, dc = col - center.col;
    switch (d.shape) {
        case Detector::Shape::point:
            return std::lround(center.row) == std::lround(row) &&
                   std::lround(center.col) == std::lround(col);
        case Detector::Shape::square:
            return std::abs(dr) <= outer + edge && std::abs(dc) <= outer + edge;
        case Detector::Shape::rectangle:
            return row >= d.from.row - edge && row <= d.to.row + edge && col >= d.from.col - edge &&
                   col <= d.to.col + edge;
        case Detector::Shape::polygon:
            return inside_polygon(d.corners, row, col);
        default:
            return false;
    }
}

// Disks and annuli are what a drag asks for at each step: a loop without a branch.
void fill_round(Array<float>& out, Point center, RoundEdges edges) {
    auto const cols = static_cast<std::size_t>(out.shape[1]);
    std::vector<double> across2(cols);
    for (std::size_t c = 0; c < cols; ++c) {
        double const dc = static_cast<double>(c) - center.col;
        across2[c] = dc * dc;
    }
    for (index r = 0; r < out.shape[0]; ++r) {
        double const dr = static_cast<double>(r) - center.row, down2 = dr * dr;
        if (!(down2 <= edges.most)) continue;
        float* const row = out.values.data() + r * out.shape[1];
        for (std::size_t c = 0; c < cols; ++c) {
            double const r2 = down2 + across2[c];
            row[c] = r2 <= edges.most && r2 >= edges.least ? 1.0F : 0.0F;
        }
    }
}

}  // namespace

RoundEdges round_edges(Detector const& d, double scale) {
    double const inner = d.inner * scale, outer = d.outer * scale;
    bool const annulus = d.shape == Detector::Shape::annulus;
    return {annulus ? inner * inner - edge : 0, outer * outer + edge};
}

Result<Array<float>> rasterize(Detector const& d, std::array<index, 2> shape, Disk const& disk) {
    Array<float> out = Array<float>::zeros({shape[0], shape[1]});
    bool const pixels = d.shape == Detector::Shape::mask || d.shape == Detector::Shape::weights;
    if (pixels) {
        if (d.from.row != static_cast<double>(shape[0]) ||
            d.from.col != static_cast<double>(shape[1]) || d.pixels.size() != out.values.size())
            return Error{
                Code::invalid_argument,
                fmt::format("detector '{}' has {}x{} pixels (the data have {}x{}); give one "
                            "of the same shape",
                            d.name, d.from.row, d.from.col, shape[0], shape[1])};
        SLUICE_CHECK(check_finite(d));
        for (std::size_t i = 0; i < d.pixels.size(); ++i) {
            float const w = d.pixels[i];
            out.values[i] = d.shape == Detector::Shape::weights ? w : w != 0 ? 1.0F : 0.0F;
        }
        if (std::ranges::all_of(out.values, [](float w) { return w == 0; }))
            return Error{Code::invalid_argument,
                         fmt::format("detector '{}' covers no pixel (all of its {}x{} are 0); give "
                                     "one that has some",
                                     d.name, shape[0], shape[1])};
        return out;
    }
    if (d.unit == Detector::Unit::mrad)
        return Error{Code::invalid_argument,
                     fmt::format("detector '{}' is in mrad (the pixels of an array have no angle); "
                                 "give it in pixels",
                                 d.name)};
    double const scale = d.unit == Detector::Unit::disk_radii ? disk.radius : 1;
    Point const center = d.center.value_or(disk.center);
    if (d.shape == Detector::Shape::annulus || d.shape == Detector::Shape::disk)
        fill_round(out, center, round_edges(d, scale));
    else
        for (index r = 0; r < shape[0]; ++r)
            for (index c = 0; c < shape[1]; ++c)
                out.values[static_cast<std::size_t>(r * shape[1] + c)] = contains(
                    d, center, d.outer * scale, static_cast<double>(r), static_cast<double>(c));
    if (std::ranges::find(out.values, 1.0F) == out.values.end())
        return Error{
            Code::invalid_argument,
            fmt::format("detector '{}' covers no pixel of the {}x{} detector ({}); move or enlarge "
                        "it",
                        d.name, shape[0], shape[1], place_of(d, center))};
    return out;
}

}  // namespace sluice::stem4d
