// Cells are searched from the nearest on, and left alone where they cannot be nearer than the best.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/metrics/dose_cells.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton {
namespace {

/// A cell beside a point: the point is the origin, and its dose is 0.
struct Cell {
    Vector<3> low, step;
    std::array<double, 8> dose;  // [z][y][x]
};

// A tetrahedron of a cell: from its first corner along one axis after the other to its last one.
struct Way {
    std::array<std::size_t, 3> axes;
};
constexpr Way ways[] = {{{0, 1, 2}}, {{0, 2, 1}}, {{1, 0, 2}},
                        {{1, 2, 0}}, {{2, 0, 1}}, {{2, 1, 0}}};

/// The squared distance to a tetrahedron, or `best` if that is less.
double nearer(Cell const& c, Way const& way, double best) {
    std::array<std::size_t, 4> corner{};
    for (std::size_t i = 0; i < 3; ++i) corner[i + 1] = corner[i] + (std::size_t{1} << way.axes[i]);
    // The dose is plain + slope . w at w.
    Vector<3> slope;
    double plain = c.dose[0];
    for (std::size_t i = 0; i < 3; ++i) {
        std::size_t const a = way.axes[i];
        slope[a] = (c.dose[corner[i + 1]] - c.dose[corner[i]]) / c.step[a];
        plain -= slope[a] * c.low[a];
    }
    // The nearest point of that hyperplane.
    double const steep = 1 + dot(slope, slope), foot = plain * plain / steep;
    if (foot >= best) return best;
    double before = 1;
    bool inside = true;
    for (std::size_t const a : way.axes) {
        double const at = (-slope[a] * plain / steep - c.low[a]) / c.step[a];
        inside = inside && at <= before && at >= 0;
        before = at;
    }
    if (inside) return foot;
    std::array<Vector<4>, 4> p;
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t a = 0; a < 3; ++a)
            p[i][a] = c.low[a] + ((corner[i] >> a & 1) ? c.step[a] : 0);
        p[i][3] = c.dose[corner[i]];
    }
    return std::min({best, to_triangle(p[0], p[1], p[2]), to_triangle(p[0], p[1], p[3]),
                     to_triangle(p[0], p[2], p[3]), to_triangle(p[1], p[2], p[3])});
}

}  // namespace

bool DoseCells::Grid::misses(Vector<3> const& place) const {
    for (std::size_t a = 0; a < 3; ++a) {
        double const at = (place[a] - first[a]) / step[a];
        // What arithmetic rounds is less than a millionth.
        if (!(at >= -0.500001 && at <= static_cast<double>(sides[a]) - 0.499999)) return true;
    }
    return false;
}

DoseCells::DoseCells(Grid const& grid, float const* values, double most)
    : grid_(grid), values_(values), most_(most) {
    std::array<int, 3> reach;
    for (std::size_t a = 0; a < 3; ++a)
        reach[a] = static_cast<int>(
            std::min(std::ceil(most / grid.step[a]) + 1, static_cast<double>(grid.sides[a])));
    auto const gap = [&](std::size_t a, int cells) {
        double const d = std::max(std::abs(cells) - 1, 0) * grid_.step[a];
        return d * d;
    };
    for (int z = -reach[2]; z <= reach[2]; ++z)
        for (int y = -reach[1]; y <= reach[1]; ++y)
            for (int x = -reach[0]; x <= reach[0]; ++x) {
                double const least = gap(0, x) + gap(1, y) + gap(2, z);
                if (least < most * most) around_.push_back({{x, y, z}, least});
            }
    // The own cell comes first of those that it touches: most points pass in it.
    std::ranges::stable_sort(around_, {}, [](Offset const& o) {
        auto const& c = o.cells;
        return std::pair(o.least, std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]));
    });
}

double DoseCells::gamma(Vector<3> const& place, double dose, double unit) const {
    std::array<index, 3> own;
    for (std::size_t a = 0; a < 3; ++a)
        own[a] =
            static_cast<index>(std::clamp(std::floor((place[a] - grid_.first[a]) / grid_.step[a]),
                                          0.0, static_cast<double>(grid_.sides[a] - 2)));
    index const row = grid_.sides[0], plane = row * grid_.sides[1];
    double best = most_ * most_;
    Cell cell{{}, grid_.step, {}};
    for (Offset const& o : around_) {
        if (o.least >= best) break;
        std::array<index, 3> at;
        bool there = true;
        double apart = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            at[a] = own[a] + o.cells[a];
            there = there && at[a] >= 0 && at[a] < grid_.sides[a] - 1;
            cell.low[a] = grid_.first[a] + static_cast<double>(at[a]) * grid_.step[a] - place[a];
            double const gap = std::max({cell.low[a], -(cell.low[a] + grid_.step[a]), 0.0});
            apart += gap * gap;
        }
        if (!there || apart >= best) continue;
        float const* const first = values_ + at[0] + at[1] * row + at[2] * plane;
        double low = 1e300, high = -1e300;
        for (std::size_t k = 0; k < 8; ++k) {
            index const place_of =
                static_cast<index>(k & 1) + (k >> 1 & 1 ? row : 0) + (k >> 2 ? plane : 0);
            cell.dose[k] = (static_cast<double>(first[place_of]) - dose) / unit;
            low = std::min(low, cell.dose[k]);
            high = std::max(high, cell.dose[k]);
        }
        // All of it lies above or below.
        double const off = std::max({low, -high, 0.0});
        if (apart + off * off >= best) continue;
        for (Way const& way : ways) best = nearer(cell, way, best);
    }
    return std::sqrt(best);
}

}  // namespace sluice::proton
