// Points of a lattice in a frame.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/refine/points.h"

#include <algorithm>
#include <cmath>

#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {

namespace {

// In the order they have.
std::vector<LatticePoint> nearest_of(std::vector<LatticePoint> points, stem4d::Point origin,
                                     std::size_t most) {
    if (points.size() <= most) return points;
    auto const away = [&](LatticePoint const& p) {
        return std::hypot(p.row - origin.row, p.col - origin.col);
    };
    std::vector<double> distances;
    for (LatticePoint const& p : points) distances.push_back(away(p));
    auto const last = distances.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::nth_element(distances, last);
    double const limit = *last;
    std::erase_if(points, [&](LatticePoint const& p) { return !(away(p) < limit); });
    return points;
}

}  // namespace

std::vector<LatticePoint> points_near(stem4d::LatticeBasis const& l,
                                      std::span<std::array<int, 2> const> known,
                                      std::array<double, 2> shape, double reach, std::size_t most) {
    std::vector<LatticePoint> points;
    auto const take = [&](double h, double k) {
        double const row = l.origin.row + h * l.a.row + k * l.b.row,
                     col = l.origin.col + h * l.a.col + k * l.b.col;
        bool const in = row > -reach && col > -reach && row < shape[0] - 1 + reach &&
                        col < shape[1] - 1 + reach;
        if (in) points.push_back({h, k, row, col});
    };
    if (!known.empty()) {
        for (auto const& [h, k] : known) take(h, k);
        return nearest_of(std::move(points), l.origin, most);
    }
    auto const inverse = columns_of(l).inverse();
    double first[2] = {1e9, 1e9}, last[2] = {-1e9, -1e9};
    for (double const r : {-reach, shape[0] + reach})
        for (double const c : {-reach, shape[1] + reach}) {
            auto const hk = inverse * stem4d::Point{r - l.origin.row, c - l.origin.col};
            first[0] = std::min(first[0], hk.row), last[0] = std::max(last[0], hk.row);
            first[1] = std::min(first[1], hk.col), last[1] = std::max(last[1], hk.col);
        }
    for (double h = std::floor(first[0]); h <= last[0]; ++h)
        for (double k = std::floor(first[1]); k <= last[1]; ++k) take(h, k);
    return nearest_of(std::move(points), l.origin, most);
}

}  // namespace sluice::crystal
