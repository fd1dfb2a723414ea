// A result whose physics does not add up is told, and one whose does is not.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/proton/guards/spread.h"
#include "domain/proton/guards/test_guards.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

// Water with 3 mm of air at its left, where the beam has its middle in water.
Phantom beside_air() {
    Phantom p = box("water", 90, 0.5, 80, 0.5);
    p.materials.push_back(material("air").value());
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    for (index k = 0; k < p.planes; ++k)
        for (index x = 0; x < 34; ++x) p.map[static_cast<std::size_t>(k * p.columns + x)] = 1;
    return p;
}

// Energy that is booked in the next column is three times the dose of air beside water, and all
// ledgers are balanced.
TEST(PhysicsGuards, SeeEnergyInTheNextColumn) {
    Phantom const p = beside_air();
    MarchResult r = march(physics(), p, {.energy = 105, .sigma_x = 3}, {}).value();
    EXPECT_FALSE(find(guards_after(Config{}, r), "column_dose")) << worst_unexplained(r).part;
    double const before = std::abs(worst_unexplained(r).part);
    // What a tenth of the steps does that end beside the edge.
    for (index k = 0; k < p.planes; ++k) {
        auto const water = static_cast<std::size_t>(k * p.columns + 34), air = water - 1;
        double const moved = 0.001 * r.deposit[water];
        for (auto* const v : {&r.deposit, &r.unexplained}) {
            (*v)[water] -= moved;
            (*v)[air] += moved;
        }
    }
    auto const guards = guards_after(Config{}, r);
    ASSERT_TRUE(find(guards, "column_dose"));
    EXPECT_GT(worst_unexplained(r).part, 5 * before);
    EXPECT_DOUBLE_EQ(worst_unexplained(r).x, -3.25);
    EXPECT_NE(sentence(guards.back()).find("at x = -3.25 mm"), std::string::npos)
        << sentence(guards.back());
}

MarchResult through(Phantom const& marched, Phantom const& said, Beam const& beam) {
    MarchResult r = march(physics(), marched, beam, {}).value();
    guards::beside_theory(physics(), said, beam, r);
    return r;
}

// Half a metre of air with the scattering power that condensed media have, behind which a beam is a
// quarter too wide.
TEST(PhysicsGuards, SeeAirThatScattersTooMuch) {
    Phantom const air = box("air", 500, 1, 80, 0.5);
    Beam const beam{.energy = 150, .sigma_x = 1};
    auto const right = through(air, air, beam);
    EXPECT_LT(std::abs(right.place_off.part), 0.025);
    EXPECT_FALSE(find(guards_after(Config{}, right), "spread"));
    Phantom wrong = air;
    wrong.materials[0].scattering *= 1.5;
    auto const wide = through(wrong, air, beam);
    EXPECT_GT(wide.angle_off.part, 0.2);
    EXPECT_TRUE(find(guards_after(Config{}, wide), "spread"));
    EXPECT_TRUE(find(guards_after(Config{}, wide), "angle_spread"));
}

// Straggling that is left out, or half as much again as it should be: ranges say it, and whatever
// else is compared does not.
TEST(PhysicsGuards, SeeStragglingThatIsWrong) {
    Phantom const p = box("water", 160, 0.5, 240, 0.5);
    Beam const beam{.energy = 150, .sigma_x = 4};
    MarchOptions without;
    without.straggling = false;
    MarchResult r = march(physics(), p, beam, without).value();
    guards::beside_theory(physics(), p, beam, r);
    auto const found = guards_after(Config{}, r);
    ASSERT_TRUE(find(found, "range_spread"));
    EXPECT_LT(r.range_off.part, -0.5);
    for (char const* const other : {"column_dose", "spread", "angle_spread"})
        EXPECT_FALSE(find(found, other)) << other;
    // Without it nothing is to be spread.
    r.range_off = {};
    guards::beside_theory(physics(), p, beam, r, false);
    EXPECT_FALSE(find(guards_after(Config{}, r), "range_spread"));
    MarchResult more = march(physics(), p, beam, {}).value();
    for (PlaneSums& s : more.sums) s.range_variance *= 1.5;
    guards::beside_theory(physics(), p, beam, more);
    EXPECT_NEAR(more.range_off.part, 0.22, 0.05);
    EXPECT_TRUE(find(guards_after(Config{}, more), "range_spread"));
}

// Beams whose protons reach a face over different lengths, or with energies so far apart that some
// have stopped.
TEST(PhysicsGuards, RangesOfObliqueAndWideBeamsAreAsTheyShouldBe) {
    double const degree = 0.017453292519943295;
    Beam oblique{.energy = 100, .sigma_x = 3};
    oblique.angle = 20 * degree;
    Beam parting{.energy = 100, .sigma_x = 3};
    parting.angle = 10 * degree;
    parting.divergence = 0.03;
    Beam wide{.energy = 100, .sigma_x = 3};
    wide.divergence = 0.1;
    Beam const mixed{.energy = 100, .energy_spread = 5, .sigma_x = 3};
    Phantom const p = box("water", 95, 0.5, 280, 0.5);
    for (Beam const& beam : {oblique, parting, wide, mixed}) {
        auto const r = through(p, p, beam);
        EXPECT_NE(r.range_off.part, 0);
        EXPECT_LT(std::abs(r.range_off.part), 0.04)
            << beam.angle << " " << beam.divergence << " " << beam.energy_spread << " at "
            << r.range_off.depth;
    }
}

// Water that scatters as it should, by energies and steps; and 7 % more than it should.
TEST(PhysicsGuards, AreQuietInWater) {
    for (double const energy : {70.0, 150.0, 230.0}) {
        double const dz = energy < 100 ? 0.25 : 0.5;
        Phantom const p = box("water", std::floor(1.05 * physics().range(energy)), dz, 240, 0.5);
        Beam const beam{.energy = energy, .sigma_x = 4};
        auto const right = through(p, p, beam);
        EXPECT_LT(std::abs(right.place_off.part), 0.005) << energy;
        EXPECT_LT(std::abs(right.angle_off.part), 0.02) << energy;
        EXPECT_NE(right.range_off.part, 0) << energy;
        EXPECT_LT(std::abs(right.range_off.part), 0.01) << energy;
        EXPECT_LT(std::abs(worst_unexplained(right).part), 0.01) << energy;
        for (Guard const& g : guards_after(Config{}, right)) ADD_FAILURE() << sentence(g);
    }
}

}  // namespace
}  // namespace sluice::proton
