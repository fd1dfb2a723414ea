// Orders, errors and advice out of sequences whose errors are known.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sluice/proton_converge.h"

namespace sluice::proton {
namespace {

std::vector<double> powers(double limit, double c, double order, int n) {
    std::vector<double> v;
    for (int k = 0; k < n; ++k) v.push_back(limit + c * std::exp2(-k * order));
    return v;
}

TEST(Sequence, KnownOrders) {
    for (double const order : {0.6, 1.0, 1.5, 2.0})
        for (double const c : {0.3, -0.3}) {
            auto const values = powers(158, c, order, 4);
            Sequence const s = sequence_of_values(values);
            EXPECT_TRUE(s.converges);
            EXPECT_NEAR(s.order, order, 1e-9);
            EXPECT_NEAR(s.limit, 158, 1e-10);
            for (int k = 0; k < 4; ++k)
                EXPECT_NEAR(s.errors[k], std::abs(c) * std::exp2(-k * order), 1e-10);
        }
}

TEST(Sequence, FasterThanSecondOrderIsNotBelieved) {
    Sequence const s = sequence_of_values(powers(1, 1, 6, 3));
    EXPECT_TRUE(s.converges);
    EXPECT_NEAR(s.order, 6, 1e-9);
    // A third of the last difference, and not a 63rd.
    double const last = std::exp2(-6) - std::exp2(-12);
    EXPECT_NEAR(s.errors[2], last / 3, 1e-12);
}

TEST(Sequence, WhatDoesNotConvergeHasNoOrder) {
    // Up and down, growing, and too slow.
    for (std::vector<double> const& v :
         {std::vector{2.0, 3.0, 2.5}, {1.0, 1.1, 1.3}, powers(0, 1, 0.3, 3)}) {
        Sequence const s = sequence_of_values(v);
        EXPECT_FALSE(s.converges);
        EXPECT_TRUE(std::isnan(s.order));
        EXPECT_EQ(s.limit, v[2]);
        double const all = *std::ranges::max_element(v) - *std::ranges::min_element(v);
        for (double const e : s.errors) EXPECT_DOUBLE_EQ(e, all);
    }
    // Of the last three, where they are closer together.
    Sequence const s = sequence_of_values(std::vector{7.0, 2.0, 3.0, 2.5});
    EXPECT_EQ(s.errors, (std::vector{5.0, 1.0, 1.0, 1.0}));
}

TEST(Sequence, ThatHasArrived) {
    Sequence const s = sequence_of_values(std::vector{3.0, 2.0, 2.0});
    EXPECT_TRUE(s.converges);
    EXPECT_EQ(s.errors, (std::vector{1.0, 0.0, 0.0}));
    EXPECT_TRUE(sequence_of_differences(std::vector{0.5, 0.0}).converges);
}

TEST(Sequence, BadInput) {
    for (std::vector<double> const& v :
         {std::vector{1.0, 2.0}, {1.0, std::nan(""), 1.0}, {1.0, HUGE_VAL, 1.0}, {}}) {
        Sequence const s = sequence_of_values(v);
        EXPECT_FALSE(s.converges);
        ASSERT_EQ(s.errors.size(), v.size());
        for (double const e : s.errors) EXPECT_TRUE(std::isnan(e));
    }
    for (std::vector<double> const& v :
         {std::vector{1.0}, {1.0, std::nan("")}, {1.0, -0.5}, {HUGE_VAL, 1.0}}) {
        Sequence const s = sequence_of_differences(v);
        EXPECT_FALSE(s.converges);
        ASSERT_EQ(s.errors.size(), v.size() + 1);
        for (double const e : s.errors) EXPECT_TRUE(std::isnan(e));
    }
}

TEST(Sequence, OfDifferences) {
    // Those of 1, 1/4, 1/16, 1/64 and 0.
    Sequence const s = sequence_of_differences(std::vector{0.75, 0.75 / 4, 0.75 / 16});
    EXPECT_TRUE(s.converges);
    EXPECT_NEAR(s.order, 2, 1e-12);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(s.errors[k], std::exp2(-2 * k), 1e-12);
    Sequence const bad = sequence_of_differences(std::vector{0.9, 0.1, 0.2});
    EXPECT_FALSE(bad.converges);
    EXPECT_EQ(bad.errors, (std::vector{0.9, 0.2, 0.2, 0.2}));
}

GridRun flat(index planes, index columns) {
    GridRun r{.planes = planes, .columns = columns};
    r.deposit.assign(planes * columns, 24.0 / (planes * columns));
    return r;
}

TEST(DoseDifference, IsThatOfSums) {
    GridRun const fine = flat(8, 6);
    GridRun coarse = flat(4, 3);
    EXPECT_NEAR(dose_difference(fine, coarse).value(), 0, 1e-15);
    // Each finer in one direction.
    EXPECT_NEAR(dose_difference(flat(8, 3), flat(4, 6)).value(), 0, 1e-15);
    coarse.deposit[5] += 1;
    EXPECT_NEAR(dose_difference(fine, coarse).value(), 1 / std::sqrt(11 * 4 + 9), 1e-12);
    EXPECT_FALSE(dose_difference(flat(7, 3), flat(4, 3)));
    EXPECT_FALSE(dose_difference(flat(4, 3), GridRun{}));
    coarse.deposit.assign(12, 0);
    EXPECT_FALSE(dose_difference(fine, coarse));
    coarse.deposit.pop_back();
    EXPECT_FALSE(dose_difference(fine, coarse));
}

Steps const base{0.5, 0.5, 0.5, 0.01};

// R80 is wrong by 0.08 dz^2 + 0.2 range, sigma at the peak by dx, and a dose of two cells moves.
Result<GridRun> made(Steps const& s) {
    GridRun r{.planes = 1, .columns = 2};
    r.values = {100 + 0.08 * s.dz * s.dz + 0.2 * s.range, 2, 3, 4 - s.dx};
    r.deposit = {1 + s.angle, 1 - s.angle};
    r.cells = std::lround(1e6 / (s.dz * s.range * s.dx * s.angle));
    return r;
}

TEST(Converge, FindsOrdersAndLimits) {
    int runs = 0;
    auto const c = converge(base, 4, {1, 1, 1, 1, 1}, [&](Steps const& s) {
        ++runs;
        return made(s);
    });
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(runs, grids_of(4));
    EXPECT_NEAR(c->axes[0].found[0].order, 2, 1e-9);
    EXPECT_NEAR(c->axes[1].found[0].order, 1, 1e-9);
    EXPECT_NEAR(c->axes[2].found[3].order, 1, 1e-9);
    EXPECT_NEAR(c->axes[3].found[4].order, 1, 1e-4);
    EXPECT_NEAR(c->axes[3].found[4].errors[0], 0.02, 1e-5);
    EXPECT_NEAR(c->limits[0], 100, 1e-9);
    EXPECT_NEAR(c->limits[3], 4, 1e-9);
}

TEST(Converge, AdvisesTheCheapest) {
    // R80: dz = 1 costs 0.08, its half 0.02; range_step 0.5 costs 0.1, 0.25 half of that.
    auto const c = converge(base, 4, {0.125, 1, 1, 0.3, 0.011}, made).value();
    EXPECT_TRUE(c.advice.reached);
    EXPECT_EQ(c.advice.steps.dz, 0.5);
    EXPECT_EQ(c.advice.steps.range, 0.5);
    EXPECT_EQ(c.advice.steps.dx, 0.25);
    EXPECT_EQ(c.advice.steps.angle, 0.01);
    EXPECT_NEAR(c.advice.errors[0], 0.12, 1e-9);
    EXPECT_NEAR(c.advice.cells, double(made(c.advice.steps)->cells), 1e-6 * c.advice.cells);
    // It is, of all combinations: one is cheaper only if it is not good enough.
    for (double dz : {1.0, 0.5, 0.25, 0.125})
        for (double range : {1.0, 0.5, 0.25, 0.125})
            if (range <= dz && 0.08 * dz * dz + 0.2 * range <= 0.125) {
                EXPECT_GE(made({dz, range, 0.25, 0.01})->cells, 0.999 * c.advice.cells);
            }
}

TEST(Converge, SaysWhatCannotBeReached) {
    auto const c = converge(base, 3, {1, 1, 1, 0.01, 1}, made).value();
    EXPECT_FALSE(c.advice.reached);
    EXPECT_EQ(c.advice.worst, Quantity::sigma_peak);
    EXPECT_EQ(c.advice.worst_axis, StepAxis::dx);
    EXPECT_EQ(c.advice.steps.dx, 0.25);
    // What has nothing to do with it is as cheap as can be.
    EXPECT_EQ(c.advice.steps.dz, 1);
    EXPECT_EQ(c.advice.steps.angle, 0.02);
    // A number that is not there is never good enough.
    auto const none = converge(base, 3, {1, 1, 1, 1, 1}, [](Steps const& s) {
        auto r = made(s);
        r->values[1] = std::nan("");
        return r;
    });
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->advice.reached);
    EXPECT_EQ(none->advice.worst, Quantity::fall_off);
}

TEST(Converge, BadInput) {
    PerQuantity<double> const wanted = {1, 1, 1, 1, 1};
    for (double const bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
        for (std::size_t x = 0; x < step_axes; ++x) {
            Steps s = base;
            step_of(s, static_cast<StepAxis>(x)) = bad;
            EXPECT_FALSE(converge(s, 3, wanted, made));
        }
        PerQuantity<double> w = wanted;
        w[2] = bad;
        EXPECT_FALSE(converge(base, 3, w, made));
    }
    EXPECT_FALSE(converge(base, 2, wanted, made));
    EXPECT_FALSE(converge(base, 7, wanted, made));
    auto const failed = converge(base, 3, wanted, [](Steps const& s) -> Result<GridRun> {
        if (s.dz > 0.5) return Error{Code::invalid_argument, "too coarse"};
        return made(s);
    });
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.find("dz 1 mm"), std::string::npos);
    EXPECT_NE(failed.error().message.find("too coarse"), std::string::npos);
}

TEST(Converge, OfABeam) {
    Physics const physics(WaterTable::icru90);
    std::optional<SigmaDepths> at;
    auto const c = converge(
        {0.5, 0.5, 1, 0.02}, 3, {0.25, 0.25, 0.1, 0.1, 0.02},
        [&](Steps const& s) -> Result<GridRun> {
            Phantom p{.materials = {material("water").value()}, .dz = s.dz, .dx = s.dx, .x0 = -16};
            p.planes = std::lround(26 / s.dz);
            p.columns = std::lround(32 / s.dx);
            SLUICE_TRY(MarchResult const r, march(physics, p, {.energy = 50, .sigma_x = 3},
                                                  {.angle_step = s.angle, .range_step = s.range}));
            if (!at) at = sigma_depths(r).value();
            return measure(s, r, *at);
        });
    ASSERT_TRUE(c) << c.error().text();
    double const range = physics.range(50);
    EXPECT_NEAR(at->half, range / 2, 0.2);
    EXPECT_NEAR(c->limits[0], range, 0.25);
    EXPECT_GT(c->limits[3], c->limits[2]);
    EXPECT_TRUE(c->advice.reached);
}

TEST(Measure, NeedsAPeak) {
    MarchResult r;
    EXPECT_FALSE(sigma_depths(r));
    EXPECT_FALSE(measure(base, r, {1, 2}));
}

}  // namespace
}  // namespace sluice::proton
