// What of a mask is counted by squares, and what by lines.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/line_mask.h"

#include <gtest/gtest.h>

namespace sluice::lines {
namespace {

using planes::Grid;
using planes::MaskWord;

TEST(LineMask, TakesTheLargestSquares) {
    Grid const grid{72, 72};  // 9x9 blocks, 5x5 and 3x3 squares
    std::vector<MaskWord> words;
    for (std::uint32_t b = 0; b < 81; ++b)
        words.push_back({b == 40 ? std::uint64_t{1} : b == 80 ? ~std::uint64_t{2} : ~0ULL, b});
    LineMask const mask = line_mask(words, grid);
    ASSERT_EQ(mask.plus.size(), 1u);
    EXPECT_EQ(mask.plus[0].block, 40u);
    ASSERT_EQ(mask.minus.size(), 1u);
    EXPECT_EQ(mask.minus[0].bits, 2u);
    // Block 40 is (4, 4): its square of 16 pixels is (2, 2), that of 32 pixels is (1, 1).
    std::vector<std::uint32_t> right{41, 49, 50};
    for (std::uint32_t const s : {13, 17, 18}) right.push_back(81 + s);
    for (std::uint32_t s = 0; s < 9; ++s)
        if (s != 4) right.push_back(81 + 25 + s);
    EXPECT_EQ(mask.squares, right);
}

}  // namespace
}  // namespace sluice::lines
