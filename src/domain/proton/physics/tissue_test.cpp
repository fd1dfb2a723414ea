// Tissues: what they are made of, and that their stopping power is the one asked for.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/physics/tissue.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::proton {
namespace {

TEST(Tissue, IsItsNeighboursAtTheirDensities) {
    Physics const physics(WaterTable::icru90);
    for (char const* name : {"air", "lung", "adipose", "muscle", "cortical_bone"}) {
        Material const m = material(name).value(), t = tissue(physics, "t", m.density);
        EXPECT_DOUBLE_EQ(t.density, m.density) << name;
        EXPECT_NEAR(t.electron_density, m.electron_density, 1e-12) << name;
        EXPECT_NEAR(t.excitation_energy, m.excitation_energy, 1e-9) << name;
        EXPECT_NEAR(t.scattering, m.scattering, 1e-12) << name;
        EXPECT_NEAR(t.nuclear, m.nuclear, 1e-12) << name;
    }
}

TEST(Tissue, HasTheStoppingPowerAskedFor) {
    Physics const physics(WaterTable::pstar);
    for (double const density : {0.0, 0.0005, 0.1, 0.6, 0.93, 1.0, 1.4, 2.5})
        for (double const stopping : {0.001, 0.3, 1.0, 1.7, 2.505}) {
            Material const m = tissue(physics, "t", density, stopping);
            EXPECT_NEAR(physics.relative_stopping_power(m, image_energy), stopping, 1e-12);
            EXPECT_EQ(m.density, density);
            EXPECT_TRUE(std::isfinite(m.electron_density) && m.electron_density >= 0);
        }
    // The energy matters as for the tissue's own I: bone stops less at low energies.
    Material const bone = tissue(physics, "t", 1.92, 1.7);
    EXPECT_LT(physics.relative_stopping_power(bone, 50), 1.7 * 0.997);
    EXPECT_GT(physics.relative_stopping_power(bone, 200), 1.7 * 1.002);
}

TEST(Tissue, DensityAndStoppingPowerRiseTogether) {
    Physics const physics(WaterTable::icru90);
    double last = -1;
    for (double density = 0; density < 4; density += 0.003) {
        double const stopping =
            physics.relative_stopping_power(tissue(physics, "t", density), image_energy);
        EXPECT_GT(stopping, last) << density;
        EXPECT_NEAR(tissue_density(physics, stopping), density, 1e-9);
        last = stopping;
    }
}

}  // namespace
}  // namespace sluice::proton
