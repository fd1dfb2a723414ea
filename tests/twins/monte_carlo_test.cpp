// The march beside single protons (acceptance test L of docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include "twins/monte_carlo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/test_deep.h"

namespace sluice::proton {
namespace {

Phantom water(double depth, double width, double step) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = p.dx = step;
    p.planes = static_cast<index>(depth / step);
    p.columns = static_cast<index>(width / step);
    p.x0 = -p.width() / 2;
    return p;
}

MarchOptions same_physics() {
    MarchOptions o;
    o.nuclear = o.out_of_plane = false;
    o.angle_window = 30 * 0.017453292519943295;
    return o;
}

TEST(MonteCarlo, ThreadsDoNotMatter) {
    Physics const physics(WaterTable::icru90);
    Phantom const p = water(30, 20, 1);
    Beam beam;
    beam.energy = 50;
    beam.sigma_x = 2;
    auto const one = monte_carlo(physics, p, beam, {.histories = 500, .threads = 1});
    EXPECT_EQ(one, monte_carlo(physics, p, beam, {.histories = 500, .threads = 3}));
}

// The same with half of the steps.
Phantom finer(Phantom const& p) {
    Phantom f = p;
    f.dz /= 2;
    f.dx /= 2;
    f.planes *= 2;
    f.columns *= 2;
    f.map.clear();
    for (index k = 0; k < f.planes && !p.map.empty(); ++k)
        for (index x = 0; x < f.columns; ++x)
            f.map.push_back(p.map[static_cast<std::size_t>(k / 2 * p.columns + x / 2)]);
    return f;
}

// Gamma of the march with a quarter of the steps, with the Monte Carlo dose as the reference.
GammaResult compared(Phantom const& p, Beam const& beam, index histories) {
    Physics const physics(WaterTable::icru90);
    auto const m = march(physics, finer(finer(p)), beam, same_physics()).value();
    DoseMap ours{p.planes, p.columns, p.dz, p.dx, 0, 0, {}};
    ours.values.resize(static_cast<std::size_t>(p.planes * p.columns));
    for (index k = 0; k < m.planes; ++k)
        for (index x = 0; x < m.columns; ++x)
            ours.values[static_cast<std::size_t>(k / 4 * p.columns + x / 4)] +=
                m.deposit[static_cast<std::size_t>(k * m.columns + x)];
    DoseMap reference = ours;
    reference.values = monte_carlo(physics, p, beam, {.histories = histories});
    return gamma_index(reference, ours, {.dose = 0.01, .distance = 1, .cutoff = 0.1}).value();
}

TEST(MonteCarlo, WaterIsTheSameBothWays) {
    Physics const physics(WaterTable::icru90);
    Phantom const p = water(48, 24, 1);
    Beam beam;
    beam.energy = 70;
    beam.sigma_x = 2;
    beam.divergence = 0.01;
    beam.energy_spread = 0.5;
    // Ranges are spread by 0.7 mm: rows of 1 mm would put R80 up to 0.16 mm beside that of finer
    // ones, by where the range lies among them, which a guard says.
    MarchOptions options = same_physics();
    options.range_step = 0.5;
    auto const m = march(physics, p, beam, options).value();
    MarchResult twin = m;
    twin.deposit = monte_carlo(physics, p, beam, {.histories = 100000});
    auto const a = bragg_metrics(depth_dose(m)).value(),
               b = bragg_metrics(depth_dose(twin)).value();
    EXPECT_NEAR(a.r80, b.r80, 0.05);
    EXPECT_NEAR(a.fall_off, b.fall_off, 0.05);
    auto const s = lateral_sigma(m), t = lateral_sigma(twin);
    for (std::size_t k = 2; k < 40; k += 6) EXPECT_NEAR(s[k], t[k], 0.01 * t[k]) << k;
    if (deep_tests()) {
        EXPECT_GE(compared(p, beam, 200000).passed, 0.99);
    }
}

TEST(MonteCarlo, HalfOfTheBeamThroughBoneOrLung) {
    for (char const* const name : {"cortical_bone", "lung"}) {
        Phantom p = water(60, 32, 1);
        p.materials.push_back(material(name).value());
        p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
        // 15 mm deep from 5 mm on, on the right side: its edge is along the beam.
        for (index k = 5; k < 20; ++k)
            for (index x = p.columns / 2; x < p.columns; ++x)
                p.map[static_cast<std::size_t>(k * p.columns + x)] = 1;
        Beam beam;
        beam.energy = 70;
        beam.sigma_x = 3;
        auto const g = compared(p, beam, 300000);
        EXPECT_GT(g.points, 200) << name;
        EXPECT_GE(g.passed, 0.99) << name << ": mean gamma " << g.mean;
    }
}

// The column of air beside water had the map's highest dose: what a step leaves in water was drawn
// back into it.
TEST(MonteCarlo, AirBesideWaterHasADoseOfItsOwn) {
    Physics const physics(WaterTable::icru90);
    Phantom p = water(44, 24, 0.5);
    p.materials.push_back(material("air").value());
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    index const edge = p.columns / 2 + 6;  // 3 mm beside the axis
    for (index k = 0; k < p.planes; ++k)
        for (index x = edge; x < p.columns; ++x)
            p.map[static_cast<std::size_t>(k * p.columns + x)] = 1;
    Beam const beam{.energy = 70, .sigma_x = 3};
    auto const m = march(physics, p, beam, same_physics()).value();
    auto const twin = monte_carlo(physics, p, beam, {.histories = 200000});
    // What columns beside the edge got over 6 mm of depth, as part of what they should have.
    auto const ratio = [&](double from, index low, index past) {
        double ours = 0, theirs = 0;
        auto const first = static_cast<index>(from / p.dz);
        for (index k = first; k < first + 12; ++k)
            for (index x = edge + low; x < edge + past; ++x) {
                auto const at = static_cast<std::size_t>(k * p.columns + x);
                ours += m.deposit[at];
                theirs += twin[at];
            }
        return ours / theirs;
    };
    for (double const from : {10.0, 20.0, 30.0}) {
        EXPECT_NEAR(ratio(from, -4, -1), 1, 0.04) << from;
        EXPECT_NEAR(ratio(from, -1, 0), 1, 0.12) << from;
        EXPECT_NEAR(ratio(from, 0, 1), 1, 0.12) << from;
        EXPECT_NEAR(ratio(from, 1, 5), 1, 0.1) << from;
    }
}

}  // namespace
}  // namespace sluice::proton
