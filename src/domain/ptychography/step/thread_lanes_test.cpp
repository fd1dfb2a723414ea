// ThreadLanes: each pattern once, half above and half below, and which rows both have.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/thread_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::ptycho {
namespace {

WindowPlace at(index row, index col) {
    WindowPlace place{};
    place.row = row;
    place.col = col;
    return place;
}

TEST(ThreadLanes, DealPatternsByTheirRows) {
    // In the order of the group: rows 90, 5, 70, 5 and 40.
    ThreadLanes const lanes = deal({at(90, 1), at(5, 2), at(70, 3), at(5, 40), at(40, 5)}, 64);
    EXPECT_EQ(lanes.order, (std::vector<index>{1, 0, 3, 2, 4}));
    EXPECT_EQ(lanes.places[3].row, 70);
    EXPECT_EQ(lanes.above, 40 + 64);
    EXPECT_EQ(lanes.below, 70);
    EXPECT_EQ(lanes.left, 1);
    EXPECT_EQ(lanes.right, 3 + 64);
}

TEST(ThreadLanes, AnEvenNumberGoesHalfAndHalf) {
    ThreadLanes const lanes = deal({at(300, 0), at(200, 0), at(100, 0), at(0, 0)}, 64);
    EXPECT_EQ(lanes.order, (std::vector<index>{2, 0, 3, 1}));
    EXPECT_EQ(lanes.above, 164);
    EXPECT_EQ(lanes.below, 164) << "windows that lie apart share no row";
}

TEST(ThreadLanes, OnePatternHasTheFirstLane) {
    ThreadLanes const lanes = deal({at(7, 9)}, 64);
    EXPECT_EQ(lanes.order, std::vector<index>{0});
    EXPECT_EQ(lanes.below, lanes.above);
    EXPECT_EQ(lanes.left, lanes.right);
    EXPECT_TRUE(deal({}, 64).order.empty());
}

}  // namespace
}  // namespace sluice::ptycho
