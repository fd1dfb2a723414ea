// How fast a march converges with the step of depth (acceptance test E of docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sluice/proton.h"

namespace sluice::proton {
namespace {

constexpr double depth = 96;

// All but the step of depth stays, and nothing but the splitting depends on it: whole rows, and
// angles so close that the passes of scattering do not show in tan^2 of the largest ones.
MarchResult marched(double dz, Splitting splitting) {
    static Physics const physics(WaterTable::icru90);
    double const degree = std::numbers::pi / 180;
    Phantom const p{.materials = {material("water").value()},
                    .planes = std::lround(depth / dz),
                    .columns = 64,
                    .dz = dz,
                    .dx = 0.6,
                    .x0 = -19.2};
    MarchOptions o{.angle_step = 0.2 * degree, .angle_window = 9 * degree, .range_step = 1};
    o.straggling = o.nuclear = o.out_of_plane = false;
    o.threshold = 0;
    o.precision = Precision::f64;
    o.splitting = splitting;
    return march(physics, p, {.energy = 150, .sigma_x = 2.5}, o).value();
}

// Spread of the dose in the last third.
double sigma_of_dose(MarchResult const& r) {
    MarchResult sum = r;
    sum.planes = 1;
    sum.deposit.assign(static_cast<std::size_t>(r.columns), 0);
    for (index k = r.planes * 2 / 3; k < r.planes; ++k)
        for (index x = 0; x < r.columns; ++x)
            sum.deposit[static_cast<std::size_t>(x)] +=
                r.deposit[static_cast<std::size_t>(k * r.columns + x)];
    return lateral_sigma(sum)[0];
}

struct Orders {
    double beam, dose;
};

// Out of three steps, each half of the one before.
Orders orders(Splitting splitting) {
    double beam[3], dose[3];
    for (int i = 0; i < 3; ++i) {
        MarchResult const r = marched(8 / std::exp2(i), splitting);
        beam[i] = r.exit_sigma;
        dose[i] = sigma_of_dose(r);
    }
    auto const order = [](double const(&v)[3]) { return std::log2((v[0] - v[1]) / (v[1] - v[2])); };
    return {order(beam), order(dose)};
}

TEST(Order, OfStrangIsTwo) {
    Orders const o = orders(Splitting::strang);
    for (double const order : {o.beam, o.dose}) {
        EXPECT_GE(order, 1.8);
        EXPECT_LE(order, 2.2);
        RecordProperty("order", std::to_string(order));
    }
}

TEST(Order, OfFirstOrderIsOne) {
    Orders const o = orders(Splitting::first_order);
    for (double const order : {o.beam, o.dose}) {
        EXPECT_GE(order, 0.9);
        EXPECT_LE(order, 1.1);
        RecordProperty("order", std::to_string(order));
    }
}

TEST(Order, BothSplittingsLoseNothing) {
    for (Splitting const splitting : {Splitting::strang, Splitting::first_order}) {
        MarchResult const r = marched(8, splitting);
        EXPECT_LE(r.worst_weight, 1e-12);
        EXPECT_LE(r.worst_energy, 1e-10);
    }
}

}  // namespace
}  // namespace sluice::proton
