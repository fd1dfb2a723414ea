// Tests of percentiles and tone curves.
// SPDX-License-Identifier: Apache-2.0
#include "figure/contrast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sluice::figure {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

TEST(Percentiles, AsNumPyInterpolates) {
    std::vector<float> const v = {5, 1, 4, 2, 3};
    EXPECT_DOUBLE_EQ(percentiles(v, 0, 100).low, 1);
    EXPECT_DOUBLE_EQ(percentiles(v, 0, 100).high, 5);
    EXPECT_DOUBLE_EQ(percentiles(v, 50, 90).low, 3);
    EXPECT_DOUBLE_EQ(percentiles(v, 50, 90).high, 4.6);
    EXPECT_DOUBLE_EQ(percentiles(v, 12.5, 90).low, 1.5);
    std::vector<float> const even = {1, 2, 3, 10};
    EXPECT_DOUBLE_EQ(percentiles(even, 50, 75).low, 2.5);
    EXPECT_DOUBLE_EQ(percentiles(even, 50, 75).high, 4.75);
}

TEST(Percentiles, OnlyOverNumbers) {
    EXPECT_DOUBLE_EQ(percentiles(std::vector<float>{nan, 7, inf, 9, -inf}, 0, 100).low, 7);
    EXPECT_DOUBLE_EQ(percentiles(std::vector<float>{nan, 7, inf, 9, -inf}, 0, 100).high, 9);
    EXPECT_DOUBLE_EQ(percentiles(std::vector<float>{-3, 0, 2, 8}, 0, 100, true).low, 2);
    EXPECT_DOUBLE_EQ(percentiles(std::vector<float>{4}, 0.5, 99.8).high, 4);
    for (auto const& none : {std::vector<float>{}, std::vector<float>{nan, inf}}) {
        EXPECT_EQ(percentiles(none, 1, 99).low, 0);
        EXPECT_EQ(percentiles(none, 1, 99).high, 1);
    }
}

TEST(Tone, Curves) {
    Tone const linear(Scale::linear, {10, 20});
    EXPECT_DOUBLE_EQ(linear(12.5), 0.25);
    EXPECT_EQ(linear(-inf), 0);
    EXPECT_EQ(linear(inf), 1);
    EXPECT_TRUE(std::isnan(linear(nan)));
    Tone const power(Scale::power, {0, 4}, 0.5);
    EXPECT_DOUBLE_EQ(power(1), 0.5);
    Tone const log(Scale::log, {1, 10000});
    EXPECT_DOUBLE_EQ(log(10), 0.25);
    EXPECT_EQ(log(0), 0);
    EXPECT_EQ(log(-5), 0);
    EXPECT_TRUE(std::isnan(log(nan)));
}

TEST(Tone, LimitsThatMakeNoSense) {
    EXPECT_EQ(Tone(Scale::linear, {5, 5})(5), 0);
    EXPECT_EQ(Tone(Scale::linear, {5, 5})(7), 1);
    EXPECT_DOUBLE_EQ(Tone(Scale::linear, {20, 10})(12.5), 0.25);
    EXPECT_DOUBLE_EQ(Tone(Scale::linear, {nan, inf})(0.25), 0.25);
    EXPECT_DOUBLE_EQ(Tone(Scale::log, {-1, 1e6})(1e3), 0.5);
    EXPECT_DOUBLE_EQ(Tone(Scale::log, {-2, -1}).limits().high, 1);
    Tone const flat(Scale::log, {3, 3});
    EXPECT_LT(flat.limits().low, flat.limits().high);
    EXPECT_DOUBLE_EQ(Tone(Scale::power, {0, 1}, -2)(0.25), 0.25);
}

}  // namespace
}  // namespace sluice::figure
