// Atomic columns as Gaussian potentials; the beam is drawn towards them and scattered by them.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/specimen.h"

#include <cmath>
#include <numbers>

namespace sluice::synthetic {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

// Widths and strengths of the two sublattices, in lattice periods and of the heavy column's peak.
struct Column {
    double at, width, strength;
};
constexpr std::array<Column, 2> columns{Column{0.0, 0.13, 1.0}, Column{0.5, 0.11, 0.4}};

struct Potential {
    double value = 0, dy = 0, dx = 0;  // the slope per period, times the width
};

/// `y`, `x` in lattice periods along the axes of the grain.
Potential potential_at(double y, double x) {
    Potential p;
    for (Column const& c : columns) {
        double const dy = y - c.at - std::round(y - c.at);
        double const dx = x - c.at - std::round(x - c.at);
        double const v = c.strength * std::exp(-(dy * dy + dx * dx) / (2 * c.width * c.width));
        p.value += v;
        p.dy -= v * dy / c.width;
        p.dx -= v * dx / c.width;
    }
    return p;
}

void add_columns(SyntheticOptions const& o, double row, double column, Specimen& s) {
    double const angle = s.grain == 0 ? 0 : grain_angle;
    double const c = std::cos(angle), n = std::sin(angle);
    Potential const p =
        potential_at((c * row - n * column) / o.lattice, (n * row + c * column) / o.lattice);
    s.high_angle = 0.02 + 0.13 * p.value;
    double const pull = 0.13 * o.radius();
    s.shift_y += pull * (c * p.dy + n * p.dx);
    s.shift_x += pull * (c * p.dx - n * p.dy);
}

}  // namespace

Specimen specimen_at(SyntheticOptions const& o, index row, index column) {
    double const y = static_cast<double>(row), x = static_cast<double>(column);
    double const v = y / static_cast<double>(o.scan[0]), u = x / static_cast<double>(o.scan[1]);
    Specimen s;
    s.shift_y = o.wobble * std::sin(two_pi * (0.55 * v + 0.15 * u));
    s.shift_x = o.wobble * std::cos(two_pi * (0.45 * u - 0.10 * v));
    if (o.lattice <= 0) return s;
    s.grain = u > 0.6 + 0.08 * std::sin(two_pi * 1.3 * v) ? 1 : 0;
    s.thickness = 1 + 0.08 * std::cos(two_pi * (0.5 * u + 0.35 * v));
    add_columns(o, y - o.drift[0], x - o.drift[1], s);
    return s;
}

}  // namespace sluice::synthetic
