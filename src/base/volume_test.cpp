// Directions of the axes of volumes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/volume.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(AxisDirections, MirroredOrExchangedAxesAreNotOblique) {
    EXPECT_TRUE(is_straight(straight_axes));
    AxisDirections const exchanged{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
    EXPECT_FALSE(is_straight(exchanged));
    EXPECT_FALSE(is_oblique(exchanged));
    EXPECT_EQ(describe(exchanged, 2), "x along (0, -1, 0), y along (1, 0, 0)");
    EXPECT_TRUE(is_oblique({{{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}}}));
    EXPECT_TRUE(is_oblique({{{1, 0, 0}, {1, 0, 0}, {0, 0, 1}}}));
}

}  // namespace
}  // namespace sluice
