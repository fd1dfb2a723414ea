// Median, quartiles and extremes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/measured.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Spread, OfNumbers) {
    EXPECT_EQ(spread_of({}).max, 0);
    Spread const even = spread_of({3, 1, 2, 10});
    EXPECT_EQ(even.min, 1);
    EXPECT_EQ(even.median, 2.5);
    EXPECT_EQ(even.max, 10);
    EXPECT_EQ(even.relative(), 3.6);
    Spread const odd = spread_of({5, 4, 3, 2, 1});
    EXPECT_EQ(odd.lower_quartile, 2);
    EXPECT_EQ(odd.median, 3);
    EXPECT_EQ(odd.upper_quartile, 4);
    EXPECT_EQ(odd.relative(), 4.0 / 3);
}

TEST(Spread, QuartilesLieBetweenNumbers) {
    // Three gaps: a quarter is three quarters of the first of them.
    Spread const s = spread_of({0, 4, 8, 100});
    EXPECT_EQ(s.lower_quartile, 3);
    EXPECT_EQ(s.upper_quartile, 31);
    Spread const one = spread_of({7});
    EXPECT_EQ(one.lower_quartile, 7);
    EXPECT_EQ(one.upper_quartile, 7);
    EXPECT_EQ(one.relative(), 0);
}

}  // namespace
}  // namespace sluice
