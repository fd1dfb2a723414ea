// What blocks of a file cost.
// SPDX-License-Identifier: Apache-2.0
#include "planning/blocks.h"

#include <gtest/gtest.h>

#include "planning/plan_of.h"

namespace sluice::planning {
namespace {

TEST(BlockCost, CountsWhatAPatternTakes) {
    FrameBlock const b{.scan = {4, 8}, .detector = {64, 64}, .kept_bytes = 1 << 29};
    BlockCost const c = block_cost(b, {64, 64}, {256, 200}, 2);
    // 4x4 blocks over the detector, the last of which are not full.
    EXPECT_EQ(c.pattern_bytes, 4. * 8 * 64 * 64 * 2 * 4 * 4);
    EXPECT_DOUBLE_EQ(c.times_more, 32. * 256 * 256 / (256 * 200));
    EXPECT_EQ(c.row_bytes, 8 * c.pattern_bytes);
    EXPECT_EQ(c.times_a_pass, 1);
}

TEST(BlockCost, ARowThatDoesNotStayIsDecodedAgain) {
    FrameBlock b{.scan = {16, 16}, .detector = {256, 256}, .kept_bytes = 1 << 29};
    EXPECT_EQ(block_cost(b, {256, 256}, {256, 256}, 2).times_a_pass, 1);  // 512 MiB
    EXPECT_EQ(block_cost(b, {256, 272}, {256, 256}, 2).times_a_pass, 16);
    EXPECT_EQ(block_cost(b, {8, 272}, {256, 256}, 2).times_a_pass, 8);
    b.scan = {1, 512};  // one row of the scan is decoded once, however long it is
    EXPECT_EQ(block_cost(b, {256, 4096}, {256, 256}, 2).times_a_pass, 1);
}

TEST(BlockCost, IsAdviceWhereItIsMuch) {
    WorkPlan well, ill;
    well.advice = ill.advice = {std::string(fits_as_it_is)};
    tell_blocks(well, block_cost({{1, 4}, {256, 256}, 1 << 29}, {64, 64}, {256, 256}, 2));
    EXPECT_EQ(well.notes.size(), 1);
    EXPECT_EQ(well.advice, ill.advice);
    tell_blocks(ill, block_cost({{8, 8}, {32, 32}, 1 << 29}, {64, 64}, {256, 256}, 2));
    ASSERT_EQ(ill.advice.size(), 2);
    EXPECT_EQ(ill.advice[0], "It fits.");
    EXPECT_NE(ill.notes[0].find("8x8 scan points and 32x32 pixels"), std::string::npos);
    EXPECT_NE(ill.notes[0].find("64 times its own"), std::string::npos);
}

}  // namespace
}  // namespace sluice::planning
