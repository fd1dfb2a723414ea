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

TEST(Volumes, ElementsHavePlaces) {
    Volume v;
    v.image.shape = {4, 3, 2};
    v.spacing = {1, 2, 3};
    v.origin = {10, 20, 30};
    v.direction = {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    EXPECT_EQ(place_of_element(v, 0), (std::array<double, 3>{10, 20, 30}));
    EXPECT_EQ(place_of_element(v, 1), (std::array<double, 3>{10, 21, 30}));
    EXPECT_EQ(place_of_element(v, 2), (std::array<double, 3>{8, 20, 30}));
    EXPECT_EQ(place_of_element(v, 6 + 2 + 1), (std::array<double, 3>{8, 21, 33}));
}

}  // namespace
}  // namespace sluice
