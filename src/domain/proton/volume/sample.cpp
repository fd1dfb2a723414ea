// Linear interpolation in mm: at points, on planes and on lines.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/proton_volume.h"

namespace sluice::proton {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
// Of a spacing: what the arithmetic of places rounds is less.
constexpr double same = 1e-6;

/// Two neighbours along an axis: `part` of the second one counts. Outside `low` is negative.
struct Between {
    index low = -1;
    double part = 0;
};

Between between(Lattice const& l, int axis, double mm) {
    if (axis >= l.axes) return {0, 0};
    auto const a = static_cast<std::size_t>(axis);
    auto const last = static_cast<double>(l.sides[a] - 1);
    double const t = (mm - l.origin[a]) / l.spacing[a];
    if (!(t >= -0.5 - same && t <= last + 0.5 + same)) return {};
    double const inside = std::clamp(t, 0.0, last), nearest = std::round(inside);
    if (std::abs(inside - nearest) < same) return {static_cast<index>(nearest), 0};
    double const low = std::floor(inside);
    return {static_cast<index>(low), inside - low};
}

/// An image and how far apart its neighbours are in memory.
class Elements {
  public:
    explicit Elements(Volume const& v) : values_(v.image.values.data()) {
        Lattice const l = lattice_of(v);
        row_ = l.sides[0];
        plane_ = l.sides[0] * l.sides[1];
    }
    /// Neighbours without weight are not looked at: they may be NaN.
    double at(Between const& x, Between const& y, Between const& z) const {
        if (x.low < 0 || y.low < 0 || z.low < 0) return nothing;
        index const corner = x.low + y.low * row_ + z.low * plane_;
        double const near = in_plane(corner, x, y);
        if (z.part == 0) return near;
        return near * (1 - z.part) + in_plane(corner + plane_, x, y) * z.part;
    }

  private:
    float const* values_;
    index row_ = 0, plane_ = 0;

    double in_row(index corner, Between const& x) const {
        auto const near = static_cast<double>(values_[corner]);
        if (x.part == 0) return near;
        return near * (1 - x.part) + static_cast<double>(values_[corner + 1]) * x.part;
    }
    double in_plane(index corner, Between const& x, Between const& y) const {
        double const near = in_row(corner, x);
        if (y.part == 0) return near;
        return near * (1 - y.part) + in_row(corner + row_, x) * y.part;
    }
};

std::array<Between, 3> between(Lattice const& l, Place const& p) {
    return {between(l, 0, p[0]), between(l, 1, p[1]), between(l, 2, p[2])};
}

}  // namespace

double Lattice::middle(int axis, index element) const {
    auto const a = static_cast<std::size_t>(axis);
    return origin[a] + static_cast<double>(element) * spacing[a];
}

Lattice lattice_of(Volume const& v) {
    Lattice l;
    l.axes = static_cast<int>(v.image.shape.size());
    expects(l.axes == 2 || l.axes == 3);
    auto const n = static_cast<std::size_t>(l.axes);
    std::copy(v.image.shape.rbegin(), v.image.shape.rend(), l.sides.begin());
    if (v.spacing.size() == n) std::copy(v.spacing.begin(), v.spacing.end(), l.spacing.begin());
    if (is_straight(v.direction) && v.origin.size() == n)
        std::copy(v.origin.begin(), v.origin.end(), l.origin.begin());
    return l;
}

double sample(Volume const& volume, Place const& place) {
    auto const at = between(lattice_of(volume), place);
    return Elements(volume).at(at[0], at[1], at[2]);
}

Plane plane_of(Lattice const& lattice, int across, bool across_back, int down, bool down_back,
               double at) {
    auto const a = static_cast<std::size_t>(across), d = static_cast<std::size_t>(down);
    Plane p{
        across, down, lattice.sides[d], lattice.sides[a], lattice.spacing[a], lattice.spacing[d]};
    p.first = {at, at, at};
    p.first[a] = lattice.middle(across, across_back ? lattice.sides[a] - 1 : 0);
    p.first[d] = lattice.middle(down, down_back ? lattice.sides[d] - 1 : 0);
    if (across_back) p.step_across = -p.step_across;
    if (down_back) p.step_down = -p.step_down;
    return p;
}

Array<float> sample_plane(Volume const& volume, Plane const& plane) {
    expects(plane.across != plane.down && plane.rows > 0 && plane.columns > 0);
    Lattice const l = lattice_of(volume);
    auto const a = static_cast<std::size_t>(plane.across), d = static_cast<std::size_t>(plane.down);
    std::vector<Between> columns;
    columns.reserve(static_cast<std::size_t>(plane.columns));
    for (index c = 0; c < plane.columns; ++c)
        columns.push_back(
            between(l, plane.across, plane.first[a] + static_cast<double>(c) * plane.step_across));
    auto out = Array<float>::zeros({plane.rows, plane.columns});
    std::array<Between, 3> at = between(l, plane.first);
    Elements const elements(volume);
    float* to = out.values.data();
    for (index r = 0; r < plane.rows; ++r) {
        at[d] = between(l, plane.down, plane.first[d] + static_cast<double>(r) * plane.step_down);
        for (Between const& column : columns) {
            at[a] = column;
            *to++ = static_cast<float>(elements.at(at[0], at[1], at[2]));
        }
    }
    return out;
}

std::vector<double> stations(std::span<Lattice const> lattices, int axis) {
    std::vector<double> all;
    double smallest = std::numeric_limits<double>::infinity();
    for (Lattice const& l : lattices) {
        if (axis >= l.axes) continue;
        auto const a = static_cast<std::size_t>(axis);
        smallest = std::min(smallest, l.spacing[a]);
        for (index i = 0; i < l.sides[a]; ++i) all.push_back(l.middle(axis, i));
    }
    std::sort(all.begin(), all.end());
    auto const near = [&](double p, double q) { return q - p < same * smallest; };
    all.erase(std::unique(all.begin(), all.end(), near), all.end());
    return all;
}

std::vector<float> sample_line(Volume const& volume, int axis, Place through,
                               std::span<double const> positions) {
    Lattice const l = lattice_of(volume);
    Elements const elements(volume);
    auto at = between(l, through);
    std::vector<float> out;
    out.reserve(positions.size());
    for (double const mm : positions) {
        at[static_cast<std::size_t>(axis)] = between(l, axis, mm);
        out.push_back(static_cast<float>(elements.at(at[0], at[1], at[2])));
    }
    return out;
}

}  // namespace sluice::proton
