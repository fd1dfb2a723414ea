// Reduces bases, and chooses among those that are equally short.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/reduce.h"

#include <algorithm>
#include <array>

namespace sluice::crystal {
namespace {

using stem4d::LatticeBasis;
using stem4d::Point;

Point less(Point p, double times, Point q) {
    return {p.row - times * q.row, p.col - times * q.col};
}
Point opposite(Point p) {
    return {-p.row, -p.col};
}

// Down the rows; along them if it lies within 6 degrees of them.
Point downwards(Point p) {
    bool const level = std::abs(p.row) < 0.1 * std::abs(p.col);
    return (level ? p.col : p.row) < 0 ? opposite(p) : p;
}

}  // namespace

LatticeBasis reduced(LatticeBasis l) {
    if (length_of(l.b) < length_of(l.a)) std::swap(l.a, l.b);
    // Each step makes b shorter; a lattice has few vectors that are shorter than the first ones.
    for (int step = 0; step < 64; ++step) {
        l.b = less(l.b, nearest(dot(l.a, l.b) / dot(l.a, l.a)), l.a);
        if (!(length_of(l.b) < length_of(l.a))) break;
        std::swap(l.a, l.b);
    }
    return l;
}

LatticeBasis canonical(LatticeBasis const& basis, int* choices) {
    LatticeBasis const l = reduced(basis);
    std::array<Point, 4> const all{l.a, l.b, less(l.a, -1, l.b), less(l.a, 1, l.b)};
    double const shortest = length_of(l.a) * (1 + equally_long),
                 second = length_of(l.b) * (1 + equally_long), area = std::abs(cross(l.a, l.b));
    LatticeBasis out = l;
    double steepest = -1;
    int as_short = 0;
    for (Point p : all) {
        as_short += length_of(p) <= second;
        double const steep = std::abs(p.row) / length_of(p);
        if (length_of(p) <= shortest && steep > steepest) steepest = steep, out.a = downwards(p);
    }
    double nearest_angle = -2;
    for (Point p : all) {
        if (cross(out.a, p) < 0) p = opposite(p);
        // Neither a itself nor one that leaves out every second point.
        if (std::abs(cross(out.a, p) - area) > 0.5 * area || length_of(p) > second) continue;
        double const cosine = dot(out.a, p) / (length_of(out.a) * length_of(p));
        if (cosine > nearest_angle) nearest_angle = cosine, out.b = p;
    }
    if (choices) *choices = as_short;
    return out;
}

}  // namespace sluice::crystal
