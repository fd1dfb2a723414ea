// Which sums are kept, and which are the nearest.
// SPDX-License-Identifier: Apache-2.0
#include "scan/last_counts.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using planes::MaskWord;
using Last = LastCounts<std::uint32_t>;

Last::Kept sums(std::vector<MaskWord> words, std::size_t frames = 10) {
    return std::make_shared<Last::Counts const>(
        Last::Counts{std::move(words), std::vector<std::uint32_t>(frames)});
}

TEST(LastCounts, CountThePixelsBetweenMasks) {
    std::vector<MaskWord> const a{{0b1111, 2}, {~std::uint64_t{0}, 3}, {1, 9}};
    std::vector<MaskWord> const b{{0b11, 1}, {0b0110, 2}, {1, 9}, {0b10, 12}};
    EXPECT_EQ(pixels_between(a, b), 2 + 2 + 64 + 0 + 1);
    EXPECT_EQ(pixels_between(b, a), pixels_between(a, b));
    EXPECT_EQ(pixels_between(a, a), 0);
    EXPECT_EQ(pixels_between({}, b), 2 + 2 + 1 + 1);
}

TEST(LastCounts, TheNearestIsFoundWhereItIsNearEnough) {
    Last last;
    EXPECT_FALSE(last.nearest(std::vector<MaskWord>{{1, 0}}, 100));
    auto const far = sums({{0xff, 0}}), near = sums({{0x7, 0}});
    last.keep(near, {}, 1000);
    last.keep(far, {}, 1000);
    std::vector<MaskWord> const asked{{0x3, 0}};
    EXPECT_EQ(last.nearest(asked, 10), near);
    EXPECT_EQ(last.nearest(asked, 1), near);
    EXPECT_FALSE(last.nearest(asked, 0));
}

// A drag has one place among the kept, however long it is.
TEST(LastCounts, WhatFollowsTakesThePlace) {
    Last last;
    auto const other = sums({{~std::uint64_t{0}, 7}});
    last.keep(other, {}, 10'000);
    for (std::uint64_t i = 0; i < 100; ++i) {
        std::vector<MaskWord> const words{{std::uint64_t{3} << i % 60, 0}};
        last.keep(sums(words), last.nearest(words, 8), 10'000);
    }
    EXPECT_EQ(last.nearest(other->words, 0), other);
}

TEST(LastCounts, TheOldestGoFirst) {
    Last last;
    std::vector<Last::Kept> all;
    for (std::uint32_t b = 0; b < 6; ++b) all.push_back(sums({{1, b}}));
    for (auto const& one : all) last.keep(one, {}, 10'000);
    for (std::uint32_t b = 0; b < 6; ++b)
        EXPECT_EQ(last.nearest(all[b]->words, 0) != nullptr, b >= 6 - Last::most);
    // 16 bytes of a mask and 40 of ten frames: room for two.
    last.keep(sums({{1, 6}}), {}, 130);
    EXPECT_EQ(last.bytes(), 2 * 56u);
    last.keep(sums({{1, 7}}, 1000), {}, 130);
    EXPECT_EQ(last.bytes(), 0u);
}

}  // namespace
}  // namespace sluice
