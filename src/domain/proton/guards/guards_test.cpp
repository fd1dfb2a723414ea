// Guards report the errors of a march, by the march itself, and are silent where it is right.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/guards/guards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "domain/proton/guards/test_guards.h"
#include "domain/proton/marching/grid.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

constexpr double degree = std::numbers::pi / 180;

// Largest difference of the last plane from a normal distribution, as a part of the middle.
double off_normal(MarchResult const& r, double sigma) {
    double const* const last = r.deposit.data() + (r.planes - 1) * r.columns;
    double const all = std::accumulate(last, last + r.columns, 0.0);
    double worst = 0;
    for (index x = 0; x < r.columns; ++x) {
        double const left = r.x0 + static_cast<double>(x) * r.dx;
        double const part = marching::part_between(left, left + r.dx, 0, sigma);
        worst = std::max(worst, std::abs(last[x] / all - part));
    }
    return worst / (r.dx / sigma / std::sqrt(2 * std::numbers::pi));
}

// Thin air leaves energy to look at, and does not scatter here.
TEST(Guards, RaysAreAsLargeAsInTheMarch) {
    Phantom const p = box("air", 300, 10, 160, 0.25);
    MarchOptions o;
    o.scattering = o.nuclear = o.straggling = o.out_of_plane = false;
    o.range_step = 5;
    o.angle_window = 3 * degree;
    for (auto const& [divergence, covariance] :
         std::vector<std::pair<double, double>>{{0.003, 0}, {0.002, 0.002}, {0.006, -0.003}}) {
        Beam const beam{
            .energy = 50, .sigma_x = 1.5, .divergence = divergence, .covariance = covariance};
        auto const r = march(physics(), p, beam, o).value();
        double const z = 295, st = divergence * z;
        double const sigma = std::sqrt(1.5 * 1.5 + 2 * covariance * z + st * st);
        double const seen = off_normal(r, sigma);
        double const said = guards::profile_error(p, beam, o, guards::along(physics(), p, beam, 0));
        EXPECT_GT(seen, 0.02) << divergence;
        EXPECT_NEAR(said, seen, 0.25 * seen) << divergence;
    }
}

TEST(Guards, EnoughAnglesAreSilentAndTheAdviceIsEnough) {
    Phantom const p = box("water", 30, 0.5, 40, 0.5);
    Beam const beam{.energy = 50, .sigma_x = 1.5, .divergence = 0.01, .covariance = 0.0148};
    MarchOptions o;
    auto const g = guards::of_profile(physics(), p, beam, {.options = {.angle_step = 4 * degree}});
    ASSERT_TRUE(g);
    EXPECT_EQ(g->key, "grid.angle_step");
    EXPECT_GT(g->value, g->limit);
    o.angle_step = std::stod(g->wanted) * degree;
    EXPECT_FALSE(guards::of_profile(physics(), p, beam, {.options = o}));
    EXPECT_NE(sentence(*g).find("grid.angle_step = \"" + g->wanted), std::string::npos);
}

TEST(Guards, AnglesOutsideTheWindowAreCounted) {
    Phantom const p = box("water", 6, 0.5, 40, 1);
    Beam const beam{.energy = 20, .sigma_x = 2, .divergence = 5 * degree};
    MarchOptions o;
    o.scattering = false;
    o.angle_window = 5 * degree;
    auto const r = march(physics(), p, beam, o).value();
    double const lost = std::erfc(5.25 / 5 / std::numbers::sqrt2);
    EXPECT_NEAR(r.ledger.angles.weight, lost, 2e-3);
    EXPECT_LT(std::abs(r.ledger.residual().weight), 1e-6);
    auto const g = guards_of(physics(), p, beam, o);
    ASSERT_TRUE(find(g, "initial_angles"));
    EXPECT_NEAR(find(g, "initial_angles")->value, 100 * lost, 0.2);
    EXPECT_EQ(find(g, "initial_angles")->severity, Severity::refusal);
    EXPECT_EQ(find(g, "initial_angles")->wanted, "20 deg");
    EXPECT_FALSE(refuse(g));
    // Smaller steps would not bring them back.
    EXPECT_FALSE(find(g, "angle_step"));
}

// Neither window makes the rays of steps that are as wide as the beam.
TEST(Guards, AnglesOutsideTheWindowDoNotHideRays) {
    Phantom const p = box("air", 300, 1, 160, 1);
    Beam const beam{.energy = 150, .sigma_x = 2, .divergence = 3.5 * degree};
    for (double const window : {10, 14}) {
        auto const g = guards_of(physics(), p, beam,
                                 {.angle_step = 2 * degree, .angle_window = window * degree});
        ASSERT_TRUE(find(g, "angle_step")) << window;
        EXPECT_EQ(find(g, "angle_step")->severity, Severity::refusal) << window;
        EXPECT_EQ(find(g, "initial_angles") != nullptr, window == 10);
    }
}

// The mean range of a spread in energy is longer than that of the mean energy: p (p - 1) R / 2
// times the relative variance.
TEST(Guards, EnergySpreadIsOneOfEnergy) {
    Phantom const p = box("water", 200, 0.5, 16, 1);
    Beam const beam{.energy = 100, .energy_spread = 10, .sigma_x = 4};
    MarchOptions const o;
    auto const rows = marching::range_rows(physics(), p, beam, o);
    auto const start =
        marching::initial_state(p, beam, rows, marching::angles_of(beam, o), physics());
    double weight = 0, energy = 0, range = 0;
    for (std::size_t i = 0; i < start.rows.size(); ++i) {
        weight += start.rows[i];
        energy += start.rows[i] * rows.energy[i];
        range += start.rows[i] * rows.range[i];
    }
    EXPECT_NEAR(weight, 1, 1e-9);
    EXPECT_NEAR(energy / weight, 100, 0.01);
    EXPECT_NEAR(range / weight - physics().range(100), 0.5, 0.06);
    EXPECT_LT(start.outside_rows, 1e-9);
}

// Collisions are done once for several planes. Slabs that repeat as often had all of them or none.
TEST(Guards, SlabsHaveTheSameCollisionsWhereverTheyBegin) {
    std::vector<double> left;
    for (index begin = 0; begin < 4; ++begin) {
        Phantom p = box("water", 24, 0.5, 3, 10);
        p.materials.push_back(material("air").value());
        for (index k = 0; k < p.planes; ++k)
            p.map.insert(p.map.end(), 3, static_cast<std::uint16_t>(k % 4 == begin));
        MarchOptions o;
        o.scattering = o.out_of_plane = false;
        o.angle_window = o.angle_step;
        Beam const beam{.energy = 60, .sigma_x = 4};
        auto const r = march(physics(), p, beam, o).value();
        double const in_air =
            std::accumulate(r.deposit.begin() + begin * 3, r.deposit.begin() + begin * 3 + 3, 0.0);
        // Air has a thousandth of water's, and so has what collisions leave in it.
        auto const water = static_cast<std::size_t>((begin + 2) % 4 * 3 + 1);
        EXPECT_LT(in_air, 3e-3 * 3 * r.deposit[water]) << begin;
        left.push_back(r.ledger.end.energy / r.ledger.end.weight);
    }
    for (double const e : left) EXPECT_NEAR(e, left[0], 0.02);
}

// Secondaries flew as far as the mean of the plane says, which bone beside makes another one.
TEST(Guards, BoneBesideDoesNotChangeTheDoseInWater) {
    Phantom water = box("water", 180, 2, 40, 4);
    Phantom beside = water;
    beside.materials.push_back(material("cortical_bone").value());
    for (index k = 0; k < beside.planes; ++k)
        for (index x = 0; x < beside.columns; ++x) beside.map.push_back(x < 18);
    MarchOptions o;
    o.scattering = o.out_of_plane = false;
    o.angle_window = o.angle_step;
    Beam const beam{.energy = 150, .sigma_x = 25};
    auto const a = march(physics(), water, beam, o).value();
    auto const b = march(physics(), beside, beam, o).value();
    for (index k = 0; k < 70; ++k) {
        auto const at = static_cast<std::size_t>(k * water.columns + 26);
        EXPECT_NEAR(b.deposit[at] / a.deposit[at], 1, 0.005) << k;
    }
}

TEST(Guards, APencilBeamInWaterHasNothingToWarnOf) {
    Phantom const p = box("water", 85, 0.5, 80, 0.5);
    for (Guard const& g : guards_of(physics(), p, {.energy = 100, .sigma_x = 3}, {}))
        ADD_FAILURE() << sentence(g);
}

TEST(Guards, LowEnergiesAndNarrowBeamsAreNamed) {
    Phantom const p = box("water", 0.1, 0.001, 40, 0.1);
    auto const g = guards_of(physics(), p, {.energy = 1, .sigma_x = 0.1}, {});
    ASSERT_TRUE(find(g, "low_energy"));
    EXPECT_EQ(find(g, "low_energy")->severity, Severity::refusal);
    ASSERT_TRUE(find(g, "columns"));
    EXPECT_EQ(find(g, "columns")->wanted, "0.05 mm");
}

// By Fermi and Eyges in air it is 0.8 mm wide there, and no two columns.
TEST(Guards, ABeamThatConvergesIsNarrowInItsFocus) {
    Phantom const p = box("air", 300, 1, 60, 4);
    Beam beam{.energy = 150, .sigma_x = 8, .divergence = 0.08, .covariance = -0.995 * 8 * 0.08};
    MarchOptions o;
    o.angle_window = 25 * degree;
    auto const g = guards_of(physics(), p, beam, o);
    ASSERT_TRUE(find(g, "columns"));
    EXPECT_NEAR(find(g, "columns")->value, 0.8, 0.05);
    EXPECT_EQ(find(g, "columns")->severity, Severity::refusal);
    EXPECT_NE(find(g, "columns")->text.find(" at 99.5 mm"), std::string::npos)
        << find(g, "columns")->text;
    beam.covariance = 0;
    EXPECT_FALSE(find(guards_of(physics(), p, beam, o), "columns"));
}

// An oblique beam's lines part by more than it is deep.
TEST(Guards, SigmaIsThatOfTheMarch) {
    Phantom const p = box("air", 100, 1, 400, 0.5);
    Beam const beam{.energy = 100, .sigma_x = 2, .angle = 30 * degree, .divergence = 0.03};
    MarchOptions o;
    o.scattering = o.nuclear = o.straggling = o.out_of_plane = false;
    o.range_step = 1;
    auto const r = march(physics(), p, beam, o).value();
    EXPECT_NEAR(lateral_sigma(r).back(),
                guards::sigma_at(beam, std::vector<guards::Crossing>{}, 99.5), 0.1);
}

TEST(Guards, LedgersTellWhatLeft) {
    Config c;
    Ledger l;
    l.in = {1, 100};
    l.stopped = {0.9, 95};
    l.left = {0.1, 5};
    auto const g = guards_after(c, l);
    ASSERT_EQ(g.size(), 1u);
    EXPECT_EQ(g[0].name, "sides");
    EXPECT_NEAR(g[0].value, 5, 1e-9);
    EXPECT_EQ(summary(g), "sides 5 %");
    l.left = {};
    EXPECT_EQ(guards_after(c, l).at(0).name, "residual");
    EXPECT_NE(sentence(guards_after(c, l).at(0)).find("--precision f64"), std::string::npos);
    c.options.precision = Precision::f64;
    EXPECT_EQ(sentence(guards_after(c, l).at(0)).find("--precision"), std::string::npos);
}

// The middle of the beam goes through water, where scattering fills the gaps between rays, and its
// right side through 250 mm of air.
TEST(Guards, RaysBesideTheMiddleAreJudged) {
    Physics const physics(WaterTable::icru90);
    Beam const beam{.energy = 230, .sigma_x = 1, .divergence = 0.003};
    Phantom p = box("water", 800, 0.5, 160, 0.5);
    auto const value = [&] {
        auto const found = guards_of(physics, p, beam, {});
        auto const* const g = find(found, "angle_step");
        return g ? g->value : 0;
    };
    double const of_water = value();
    p.materials.push_back(material("air").value());
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    for (index k = 0; k < 500; ++k)
        for (index x = p.columns / 2 + 2; x < p.columns; ++x)
            p.map[static_cast<std::size_t>(k * p.columns + x)] = 1;
    EXPECT_LT(of_water, 3);
    EXPECT_GT(value(), 6);
}

}  // namespace
}  // namespace sluice::proton
