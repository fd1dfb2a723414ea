// Guards of steps of depth and range: what rows, planes and LET lose.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/guards/guards.h"
#include "domain/proton/guards/test_guards.h"

namespace sluice::proton {
namespace {

Phantom air_before_water() {
    Phantom p = box("water", 330, 1, 60, 1);
    p.materials.push_back(material("air").value());
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    std::fill_n(p.map.begin(), 300 * p.columns, std::uint16_t{1});
    return p;
}

// Rows are carried through what is alike in all columns.
TEST(DepthGuards, RowsDoNotSmearInAirAlone) {
    Beam const beam{.energy = 50, .sigma_x = 3};
    EXPECT_FALSE(
        find(guards::of_depth(physics(), air_before_water(), {&beam, 1}, {}), "plateau_dose"));
}

TEST(DepthGuards, RowsThatSmearInAirBesideWaterAreFound) {
    Phantom p = air_before_water();
    for (index k = 0; k < p.planes; ++k) p.map[static_cast<std::size_t>(k * p.columns)] = 0;
    Beam const beam{.energy = 50, .sigma_x = 3};
    auto const g = guards::of_depth(physics(), p, {&beam, 1}, {});
    ASSERT_FALSE(g.empty());
    EXPECT_FALSE(g[0].key.empty());
    // A row is 900 times what a plane of air takes: the dose in it is too low.
    EXPECT_TRUE(find(g, "plateau_dose"));
    EXPECT_NE(g[0].text.find("planes of 1 mm"), std::string::npos);
}

// Air that no part of a beam comes to changes no step.
TEST(DepthGuards, AirFarBesideABeamIsNoReasonToWarn) {
    Phantom p = box("water", 60, 0.25, 160, 1);
    p.materials.push_back(material("air").value());
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    for (index k = 0; k < p.planes; ++k) p.map[static_cast<std::size_t>(k * p.columns)] = 1;
    Beam const beam{.energy = 80, .sigma_x = 3};
    auto const told = guards::of_depth(physics(), p, {&beam, 1}, {});
    EXPECT_TRUE(told.empty()) << told[0].text;
    Beam near = beam;
    near.x = -70;
    EXPECT_FALSE(guards::of_depth(physics(), p, {&near, 1}, {}).empty());
}

// Their rows are refined alone.
TEST(DepthGuards, MorePlanesThanAreRefinedAreJudged) {
    Phantom p = box("water", 10.0005, 0.0005, 3, 10);
    ASSERT_GT(p.planes, 20000);
    p.materials.push_back(material("air").value());
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    for (index k = 0; k < p.planes; ++k) p.map[static_cast<std::size_t>(k * p.columns)] = 1;
    MarchOptions o;
    o.straggling = o.nuclear = false;
    o.range_step = 2;
    Beam const beam{.energy = 30, .sigma_x = 3};
    auto const g = guards::of_depth(physics(), p, {&beam, 1}, o);
    ASSERT_FALSE(g.empty());
    EXPECT_NE(g[0].text.find("beside rows of a quarter"), std::string::npos) << g[0].text;
    EXPECT_EQ(g[0].key, "grid.range_step");
}

TEST(DepthGuards, WhatCannotBeCheckedIsTold) {
    Phantom const p = box("water", 4, 1, 3, 10);
    MarchOptions o;
    o.straggling = o.nuclear = false;
    // A quarter of it would be more rows than a march takes, of 16 lines instead of 3.
    o.range_step = 5e-4;
    o.angle_window = o.angle_step;
    auto const g = guards_of(physics(), p, {.energy = 300, .sigma_x = 30}, o);
    ASSERT_TRUE(find(g, "depth_unchecked"));
    EXPECT_EQ(find(g, "depth_unchecked")->severity, Severity::warning);
    EXPECT_NE(find(g, "depth_unchecked")->text.find("could not be checked: "), std::string::npos);
}

// By planes of 1 mm, which leave the range alone.
TEST(DepthGuards, LetIsAsFarOffAsInTheMarch) {
    Beam const beam{.energy = 80, .sigma_x = 4};
    MarchOptions o;
    o.scattering = o.out_of_plane = false;
    o.angle_window = o.angle_step;
    Phantom const coarse = box("water", 60, 1, 40, 1);
    auto const own = march(physics(), coarse, beam, o).value();
    auto const fine = march(physics(), box("water", 60, 0.25, 40, 1), beam, o).value();
    auto const dose = depth_dose(own).dose;
    auto const peak = static_cast<std::size_t>(std::ranges::max_element(dose) - dose.begin());
    double const off = own.sums[peak].let_dose / fine.sums[4 * peak + 2].let_dose - 1;
    auto const g = guards_of(physics(), coarse, beam, {});
    ASSERT_TRUE(find(g, "let_dose"));
    EXPECT_GT(std::abs(off), 0.08);
    EXPECT_GE(find(g, "let_dose")->value, 80 * std::abs(off));
    EXPECT_FALSE(find(g, "range"));
}

}  // namespace
}  // namespace sluice::proton
