// Contours in the order of their planes, and where their slabs end.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/structure_stack.h"

#include <algorithm>
#include <cmath>

#include "format/dicom/structures.h"

namespace sluice::dicom {

Vector3 double_area(Contour const& c) {
    Vector3 sum{};
    for (std::size_t i = 0; i < c.size(); ++i) {
        Vector3 const turn = cross(c[i], c[(i + 1) % c.size()]);
        for (std::size_t k = 0; k < 3; ++k) sum[k] += turn[k];
    }
    return sum;
}

namespace {

Vector3 unit(Vector3 v) {
    double const length = std::sqrt(dot(v, v));
    for (double& k : v) k = length > 0 ? k / length : 0;
    return v;
}

// What is nearly an axis of space is that axis: then slabs are those of its coordinate.
Vector3 snapped(Vector3 n) {
    constexpr double same = 1e-3;
    for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(n[k]) > 1 - same * same / 2) {
            n = {};
            n[k] = 1;
        }
    return n;
}

// The planes of all contours are square to that of the largest.
Vector3 normal_of(std::vector<Contour> const& contours) {
    Vector3 n{};
    for (Contour const& c : contours) {
        Vector3 const area = double_area(c);
        if (dot(area, area) > dot(n, n)) n = area;
    }
    return snapped(unit(n));
}

// Of axial contours x and y of space, and so on for the other axes.
AxisDirections axes_along(Vector3 const& n) {
    std::size_t most = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(n[k]) > std::abs(n[most])) most = k;
    Vector3 next{};
    next[(most + 1) % 3] = 1;
    double const along = dot(next, n);
    for (std::size_t k = 0; k < 3; ++k) next[k] -= along * n[k];
    next = unit(next);
    return {next, cross(n, next), n};
}

Ring ring_of(Contour const& c, AxisDirections const& axes) {
    Ring r;
    for (auto const& p : c) r.push_back({dot(p, axes[0]), dot(p, axes[1])});
    return r;
}

double usual_distance(std::vector<Slab> const& slabs) {
    if (slabs.size() < 2) return 0;
    std::vector<double> all;
    for (std::size_t i = 1; i < slabs.size(); ++i) all.push_back(slabs[i].at - slabs[i - 1].at);
    auto const middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
    std::ranges::nth_element(all, middle);
    return *middle;
}

void set_ends(std::vector<Slab>& slabs, double usual) {
    for (std::size_t i = 0; i < slabs.size(); ++i) {
        slabs[i].from = slabs[i].at - usual / 2;
        slabs[i].to = slabs[i].at + usual / 2;
        if (i == 0 || slabs[i].at - slabs[i - 1].at > farthest_neighbour * usual) continue;
        slabs[i].from = slabs[i - 1].to = (slabs[i - 1].at + slabs[i].at) / 2;
    }
}

}  // namespace

Stack stack_of(Structure const& s) {
    Stack stack;
    stack.axes = axes_along(normal_of(s.contours));
    std::vector<std::pair<double, Contour const*>> all;
    for (Contour const& c : s.contours) all.emplace_back(dot(c[0], stack.axes[2]), &c);
    std::ranges::stable_sort(all, {}, &std::pair<double, Contour const*>::first);
    for (auto const& [at, c] : all) {
        if (stack.slabs.empty() || at - stack.slabs.back().at > same_plane)
            stack.slabs.push_back({at});
        // Twice the same would be a hole of its own size: who writes it does not mean that.
        auto& rings = stack.slabs.back().rings;
        Ring r = ring_of(*c, stack.axes);
        if (std::ranges::find(rings, r) == rings.end()) rings.push_back(std::move(r));
    }
    stack.usual = usual_distance(stack.slabs);
    set_ends(stack.slabs, stack.usual);
    return stack;
}

Result<double> area_of(Slab const& slab) {
    double sum = 0;
    SLUICE_CHECK(cut_into_trapezoids(slab.rings, {}, [&](Trapezoid const& t) { sum += t.area(); }));
    return sum;
}

}  // namespace sluice::dicom
