// Directions are all alike: a beam at an angle beside the straight one, turned (acceptance test M
// of docs/design/006). SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sluice/proton.h"

namespace sluice::proton {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double gap = 10, depth = 110, half = 30;  // mm

// Water behind a gap of vacuum, its surface at right angles to a beam at `angle`. Cells that the
// surface cuts have as much water as is in them, or their steps would spread the range.
Phantom turned_water(double angle, double step) {
    constexpr int levels = 16, points = 16;
    Phantom p;
    p.materials = {material("vacuum").value()};
    for (int k = 1; k <= levels; ++k)
        p.materials.push_back(material("water", double(k) / levels).value());
    p.dz = p.dx = step;
    p.planes = static_cast<index>((gap + depth) / step);
    p.columns = static_cast<index>((2 * half + (gap + depth) * std::sin(angle)) / step);
    p.x0 = -half;
    for (index k = 0; k < p.planes; ++k)
        for (index i = 0; i < p.columns; ++i) {
            int inside = 0;
            for (int a = 0; a < points * points; ++a) {
                double const z = (double(k) + (a / points + 0.5) / points) * step;
                double const x = p.x0 + (double(i) + (a % points + 0.5) / points) * step;
                if (z * std::cos(angle) + x * std::sin(angle) >= gap) ++inside;
            }
            p.map.push_back(static_cast<std::uint16_t>((inside * levels + points * points / 2) /
                                                       (points * points)));
        }
    return p;
}

DoseMap marched(double angle, double step) {
    static Physics const physics(WaterTable::icru90);
    Beam b{.energy = 110, .energy_spread = 0.8, .angle = angle};
    // Across the beam it is 4 mm.
    b.sigma_x = 4 / std::cos(angle);
    return dose_map(march(physics, turned_water(angle, step), b).value());
}

double between(DoseMap const& m, double z, double x) {
    double const a = (z - m.z0) / m.dz, b = (x - m.x0) / m.dx;
    auto const k = static_cast<index>(std::floor(a)), i = static_cast<index>(std::floor(b));
    if (k < 0 || i < 0 || k + 1 >= m.rows || i + 1 >= m.columns) return 0;
    auto const at = [&](index r, index c) {
        return m.values[static_cast<std::size_t>(r * m.columns + c)];
    };
    double const s = a - double(k), t = b - double(i);
    return (1 - s) * ((1 - t) * at(k, i) + t * at(k, i + 1)) +
           s * ((1 - t) * at(k + 1, i) + t * at(k + 1, i + 1));
}

TEST(Rotation, DoesNotMatter) {
    DoseMap const straight = marched(0, 0.25);
    for (double const degrees : {10.0, 20.0}) {
        double const angle = degrees * degree;
        DoseMap const turned = marched(angle, 0.5);
        DoseMap expected = turned;
        double difference = 0, all = 0;
        for (index k = 0; k < turned.rows; ++k)
            for (index i = 0; i < turned.columns; ++i) {
                double const z = turned.z0 + turned.dz * double(k);
                double const x = turned.x0 + turned.dx * double(i);
                auto const at = static_cast<std::size_t>(k * turned.columns + i);
                // A cell of the straight one is a quarter as large.
                double const e = 4 * between(straight, z * std::cos(angle) + x * std::sin(angle),
                                             x * std::cos(angle) - z * std::sin(angle));
                expected.values[at] = e;
                difference += (turned.values[at] - e) * (turned.values[at] - e);
                all += e * e;
            }
        EXPECT_LE(std::sqrt(difference / all), 0.01) << degrees;
        auto const g = gamma_index(expected, turned, {.dose = 0.02, .distance = 1}).value();
        EXPECT_GT(g.points, 3000);
        EXPECT_GE(g.passed, 0.99) << degrees;
    }
}

}  // namespace
}  // namespace sluice::proton
