// The physics beside numbers that others published.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/proton/physics/constants.h"
#include "domain/proton/physics/water_tables.h"
#include "sluice/proton.h"

namespace sluice::proton {
namespace {

TEST(Physics, RangesAreThoseOfTheTables) {
    // CSDA ranges of NIST PSTAR, cm, as printed there.
    Physics const pstar(WaterTable::pstar);
    double const nist[][2] = {{100, 77.18}, {150, 157.7}, {200, 259.6}, {250, 379.4}};
    for (auto const& [e, r] : nist) EXPECT_NEAR(pstar.range(e), r, 1e-3 * r) << e;
    // Integrated independently from ICRU 90's stopping powers and what nuclei take.
    Physics const icru(WaterTable::icru90);
    double const own[][2] = {{10, 1.2399},   {50, 22.3996},   {70, 41.0275},
                             {100, 77.5837}, {150, 158.5436}, {200, 260.8577}};
    for (auto const& [e, r] : own) EXPECT_NEAR(icru.range(e), r, 1e-4 * r) << e;
}

TEST(Physics, WhatNucleiTakeIsPstarsTotalLessItsElectronic) {
    // NIST's totals have four digits, which leave half of the last one open; the electronic ones
    // are those of libdEdx.
    double const rows[][3] = {{0.5, 413.2, 412.805}, {1, 260.8, 260.583},  {2, 158.6, 158.496},
                              {5, 79.11, 79.0558},   {10, 45.67, 45.6399}, {20, 26.07, 26.0531},
                              {125, 6.192, 6.18953}, {175, 4.903, 4.9013}};
    for (auto const& [e, total, electronic] : rows) {
        double const digit = e < 5 ? 0.05 : e < 100 ? 0.005 : 0.0005;
        EXPECT_NEAR(nuclear_stopping(e), total - electronic, 1.05 * digit) << e;
    }
}

TEST(Physics, RangeAndEnergyAreInverse) {
    Physics const water(WaterTable::icru90);
    for (double e = 0.01; e < 250; e *= 1.37) {
        EXPECT_NEAR(water.energy(water.range(e)), e, 1e-7 * e);
        double const h = 1e-4 * e;
        double const slope = (water.range(e + h) - water.range(e - h)) / (2 * h);
        EXPECT_NEAR(slope * water.stopping_power(e), 1, 1e-4) << e;
        double const r = water.range(e), k = 1e-4 * r;
        double const mean = (water.energy_integral(r + k) - water.energy_integral(r - k)) / (2 * k);
        EXPECT_NEAR(mean, e, 1e-5 * e);
    }
}

TEST(Physics, StoppingBetweenTheTablesPoints) {
    // Points of PSTAR (electronic) that the table leaves out.
    Physics const water(WaterTable::pstar);
    double const left_out[][2] = {{0.25, 599.9}, {0.4, 471.4}, {0.6, 367.6}, {5.5, 73.39}};
    for (auto const& [e, s] : left_out) EXPECT_NEAR(water.stopping_power(e) * 10, s, 0.01 * s) << e;
}

TEST(Physics, MaterialsBesideGeant4) {
    // MCsquare's tables (Geant4), 100 MeV: relative stopping power and scattering length g/cm2.
    struct Row {
        char const* name;
        double density, stopping, length, stopping_tolerance;
    };
    Physics const physics(WaterTable::icru90);
    Material const water = material("water").value();
    for (Row const& row :
         {Row{"water", 1, 1, 46.88, 1e-9}, Row{"air", 0.001205, 0.00107, 47.40, 0.01},
          Row{"lung", 0.26, 0.2595, 48.00, 0.01}, Row{"adipose", 0.95, 0.977, 55.46, 0.01},
          Row{"muscle", 1.05, 1.045, 48.45, 0.01}, Row{"cortical_bone", 1.92, 1.701, 33.06, 0.02},
          Row{"pmma", 1.19, 1.175, 53.76, 0.01}, Row{"lexan", 1.2, 1.149, 55.05, 0.01},
          Row{"solid_water", 1.0445, 1.032, 53.09, 0.01}}) {
        Material const m = material(row.name, row.density).value();
        EXPECT_NEAR(physics.relative_stopping_power(m, 100), row.stopping,
                    row.stopping_tolerance * row.stopping)
            << row.name;
        double const t = physics.scattering_power(m, 100), pv = momentum_velocity(100);
        EXPECT_NEAR(row.density * 225 / (pv * pv * t) / 10, row.length, 0.015 * row.length)
            << row.name;
    }
    EXPECT_DOUBLE_EQ(physics.relative_stopping_power(water, 70), 1);
}

TEST(Physics, RangeStraggling) {
    // sigma_R^2 = int kappa / S^3 dE, with values integrated elsewhere (ICRU 90), mm.
    Physics const physics(WaterTable::icru90);
    Material const water = material("water").value();
    double const known[][2] = {{50, 0.265}, {70, 0.473}, {100, 0.867}, {150, 1.708}, {200, 2.733}};
    for (auto const& [energy, sigma] : known) {
        double sum = 0;
        int const n = 20000;
        for (int i = 0; i < n; ++i) {
            double const e = energy * (i + 0.5) / n, s = physics.stopping_power(e);
            sum += physics.straggling(water, e) / (s * s * s) * energy / n;
        }
        EXPECT_NEAR(std::sqrt(sum), sigma, 0.01 * sigma) << energy;
    }
}

TEST(Physics, FluenceLeftAtTheEndOfTheRange) {
    Physics const physics(WaterTable::icru90);
    Material const water = material("water").value();
    double const known[][2] = {{70, 0.055}, {100, 0.090}, {150, 0.160}, {200, 0.241}};
    for (auto const& [energy, lost] : known) {
        double sum = 0;
        double const range = physics.range(energy);
        int const n = 5000;
        for (int i = 0; i < n; ++i)
            sum += physics.nuclear_cross_section(water, physics.energy(range * (i + 0.5) / n)) *
                   range / n;
        EXPECT_NEAR(1 - std::exp(-sum), lost, 0.004) << energy;
    }
}

TEST(Physics, NoSuchMaterial) {
    auto const m = material("watter");
    ASSERT_FALSE(m);
    EXPECT_NE(m.error().message.find("did you mean 'water'"), std::string::npos);
    EXPECT_FALSE(material("water", -1));
    EXPECT_FALSE(material("water", std::nan("")));
}

}  // namespace
}  // namespace sluice::proton
