// Guards of the dense mode: those of cells and angles are the march's.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/proton/guards/test_guards.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

constexpr double degree = std::numbers::pi / 180;

Config dense_of(Beam const& beam, index angles, double window) {
    Config c;
    c.phantom = box("water", 40, 1, 40, 1);
    c.beams = {beam};
    c.dense = DenseOptions{};
    c.dense->angles = angles;
    c.dense->angle_window = window * degree;
    return c;
}

TEST(DenseGuards, AreTheMarchsOnTheSameAngles) {
    Beam const beam{.energy = 60, .sigma_x = 3, .divergence = 0.02};
    // 200 mm of air, after which the angles are far apart.
    auto const in_air = [&](index angles) {
        Config c = dense_of(beam, angles, 40);
        c.phantom.materials = {material("air").value()};
        c.phantom.dz = 5;
        return c;
    };
    Config const c = in_air(20);
    auto const dense = guards_before(c).value();
    auto const march = guards_of(Physics(c.water), c.phantom, beam,
                                 {.angle_step = 4 * degree, .angle_window = 40 * degree});
    ASSERT_TRUE(find(dense, "angle_step") && find(march, "angle_step"));
    EXPECT_NEAR(find(dense, "angle_step")->value, find(march, "angle_step")->value, 1e-9);
    EXPECT_EQ(find(dense, "angle_step")->key, "dense.angles");
    // As many as it asks for are enough, and it says them as a number.
    std::string const wanted = find(dense, "angle_step")->wanted;
    EXPECT_FALSE(find(guards_before(in_air(std::stol(wanted))).value(), "angle_step"));
    EXPECT_NE(sentence(*find(dense, "angle_step")).find("set dense.angles = " + wanted),
              std::string::npos);
}

TEST(DenseGuards, CellsWindowsAndEnergiesAreJudged) {
    Beam const narrow{.energy = 50, .sigma_x = 0.4, .angle = 5 * degree, .divergence = 0.1};
    Config c = dense_of(narrow, 200, 12);
    c.dense->energy_min = 10;
    auto const g = guards_before(c).value();
    ASSERT_TRUE(find(g, "columns"));
    EXPECT_EQ(find(g, "columns")->severity, Severity::refusal);
    EXPECT_TRUE(find(g, "planes"));
    // 7 degrees are left beside the beam's own, and 4 times the divergence are 23.
    ASSERT_TRUE(find(g, "initial_angles"));
    EXPECT_EQ(find(g, "initial_angles")->wanted, "28 deg");
    ASSERT_TRUE(find(g, "low_energy"));
    EXPECT_NE(find(g, "low_energy")->text.find("down to 10 MeV"), std::string::npos);
    c.dense->energy_min = 1;
    EXPECT_FALSE(find(guards_before(c).value(), "low_energy"));
}

// 9.7 instead of 2.3 mm of fall-off, which nothing said.
TEST(DenseGuards, TooFewEnergiesAreToldWithTheNumberThatIsEnough) {
    auto const of = [](index energies) {
        Config c = dense_of({.energy = 150, .sigma_x = 3}, 72, 20);
        c.phantom = box("water", 360, 0.5, 40, 1);
        c.dense->energies = energies;
        return guards_before(c).value();
    };
    auto const few = of(200);
    ASSERT_TRUE(find(few, "fall_off"));
    EXPECT_EQ(find(few, "fall_off")->severity, Severity::refusal);
    EXPECT_NEAR(find(few, "fall_off")->value, 7.4, 0.3);
    EXPECT_EQ(find(few, "fall_off")->key, "dense.energies");
    EXPECT_FALSE(find(of(std::stol(find(few, "fall_off")->wanted)), "fall_off"));
    EXPECT_FALSE(find(of(0), "fall_off"));
}

// Those that every configuration with an empty [dense] has.
TEST(DenseGuards, TheUsualAnglesAreEnoughForAPencilBeam) {
    auto const c = parse_config(
        "[grid]\ndepth = \"180 mm\"\nwidth = \"60 mm\"\ndz = \"0.5 mm\"\n[dense]\n[[beam]]\n"
        "energy = \"150 MeV\"\nsigma_x = \"3 mm\"\n",
        "x.toml");
    ASSERT_TRUE(c) << c.error().text();
    for (Guard const& g : guards_before(*c).value())
        EXPECT_EQ(g.severity, Severity::note) << sentence(g);
}

}  // namespace
}  // namespace sluice::proton
