// Sums over rows at the end of range, beside integrals in closed form.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/at_the_end.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::proton::marching {
namespace {

double root(double range) {
    return std::pow(range, 0.565);
}

RangeRows rows_from(double lowest, double step, double spread) {
    RangeRows rows;
    rows.step = step;
    rows.spread = spread;
    for (int i = 0; i < 60; ++i) rows.range.push_back((lowest + i) * step);
    return rows;
}

// The integral of a root of range times a normal distribution of ranges, by fine steps.
double integral(double mean, double sigma) {
    double sum = 0;
    constexpr int n = 200000;
    double const most = mean + 9 * sigma;
    for (int i = 0; i < n; ++i) {
        double const u = (i + 0.5) / n, range = most * u * u, x = (range - mean) / sigma;
        sum += root(range) * std::exp(-x * x / 2) * 2 * most * u / n;
    }
    return sum;
}

TEST(AtTheEnd, SumsAreIntegrals) {
    constexpr double step = 0.5, sigma = 1.2;
    for (double lowest = -1.4; lowest < 0.6; lowest += 0.05)
        for (double const mean : {-1.0, 0.3, 1.7, 4.0}) {
            RangeRows const rows = rows_from(lowest, step, sigma / step);
            AtTheEnd const end(rows, 2, root);
            double with = 0, without = 0;
            for (std::size_t i = 0; i < rows.range.size(); ++i) {
                double const x = (rows.range[i] - mean) / sigma;
                double const w = step * std::exp(-x * x / 2);
                double const here = rows.range[i] > 0 ? root(rows.range[i]) : 0;
                with += w * (here + end.row(i));
                without += w * here;
            }
            double const want = integral(mean, sigma), peak = integral(3, sigma);
            EXPECT_NEAR(with, want, 0.0004 * peak) << lowest << " " << mean << " " << without;
        }
}

// What is booked never falls from one row to the next above it, and is never less than nothing.
TEST(AtTheEnd, EnergiesAreInOrderAndDoNotJump) {
    double before[4] = {};
    for (double lowest = 0.6; lowest > -1.4; lowest -= 0.001) {
        RangeRows const rows = rows_from(lowest, 1, 3);
        AtTheEnd const end(rows, 2, root);
        double last = -1e-3;
        for (std::size_t i = 0; i < 12; ++i) {
            double const here = (rows.range[i] > 0 ? root(rows.range[i]) : 0) + end.row(i);
            EXPECT_GE(here, last - 1e-9) << lowest << " " << i;
            last = here;
            if (i >= 4) continue;
            if (lowest < 0.5995) {
                EXPECT_NEAR(end.row(i), before[i], 0.03) << lowest << " " << i;
            }
            before[i] = end.row(i);
        }
    }
}

TEST(AtTheEnd, ABeamOfOneRangeHasNothingBeside) {
    AtTheEnd const end(rows_from(0.3, 1, 1.1), 2, root);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(end.row(i), 0);
    EXPECT_EQ(end.at(0.4), 0);
    RangeRows few = rows_from(0.3, 1, 3);
    few.range.resize(8);
    EXPECT_EQ(AtTheEnd(few, 2, root).row(0), 0);
}

}  // namespace
}  // namespace sluice::proton::marching
