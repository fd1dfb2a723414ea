// Classes of speed, and where squares lie.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/bench_rules.h"

#include <gtest/gtest.h>

namespace sluice::slide {
namespace {

TEST(BenchRules, Classes) {
    EXPECT_EQ(class_of(101e6), "fast");
    EXPECT_EQ(class_of(100e6), "moderate");
    EXPECT_EQ(class_of(20e6), "moderate");
    EXPECT_EQ(class_of(19e6), "slow");
    EXPECT_EQ(class_of(0), "slow");
}

TEST(BenchRules, SquaresLieInside) {
    Rect const area{-100, 50, 1000, 700};
    std::vector<Rect> const squares = random_squares(area, 512, 100);
    ASSERT_EQ(squares.size(), 100u);
    index most = 0;
    for (Rect const& r : squares) {
        EXPECT_EQ(r.width, 512);
        EXPECT_EQ(r.height, 512);
        EXPECT_GE(r.x, area.x);
        EXPECT_GE(r.y, area.y);
        EXPECT_LE(r.x + r.width, area.x + area.width);
        EXPECT_LE(r.y + r.height, area.y + area.height);
        most = std::max(most, r.x);
    }
    EXPECT_GT(most, area.x + 300);
    EXPECT_EQ(random_squares(area, 512, 3)[2], squares[2]);
    // A slide that is smaller than the square is read whole.
    EXPECT_EQ(random_squares({5, 6, 30, 40}, 512, 1)[0], (Rect{5, 6, 30, 40}));
}

}  // namespace
}  // namespace sluice::slide
