// Where chips lie: what is said, what cannot be, and where hits go.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/chip_layout.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::tpx3 {
namespace {

Hit at(int row, int col) {
    return {.row = static_cast<std::uint16_t>(row), .col = static_cast<std::uint16_t>(col)};
}

TEST(ChipLayout, WithoutWordsOneChipOfAnyNumberIsTheImage) {
    ChipLayout const one = ChipLayout::parse("").value();
    EXPECT_FALSE(one.is_said());
    EXPECT_EQ(one.rows(), 256);
    EXPECT_EQ(one.cols(), 256);
    for (int const chip : {0, 3, 255}) {
        EXPECT_TRUE(one.has(chip));
        EXPECT_EQ(one.pixel(chip, at(3, 5)), 3U * 256 + 5);
    }
    EXPECT_TRUE(one.gaps().empty());
}

TEST(ChipLayout, FourChipsLieWhereItIsSaid) {
    ChipLayout const quad = ChipLayout::parse("0:0:260,1:260:260:180,2:260:0:180,3:0:0").value();
    EXPECT_EQ(quad.rows(), 516);
    EXPECT_EQ(quad.cols(), 516);
    EXPECT_EQ(quad.pixel(0, at(0, 0)), 260U);
    EXPECT_EQ(quad.pixel(0, at(2, 7)), 2U * 516 + 267);
    EXPECT_EQ(quad.pixel(1, at(0, 0)), 515U * 516 + 515);
    EXPECT_EQ(quad.pixel(1, at(255, 255)), 260U * 516 + 260);
    EXPECT_EQ(quad.pixel(2, at(1, 0)), 514U * 516 + 255);
    EXPECT_EQ(quad.pixel(3, at(255, 0)), 255U * 516);
    EXPECT_FALSE(quad.has(4));
    // Every pixel of a chip has its place, and the gap is a cross.
    auto const mask = quad.gaps();
    EXPECT_EQ(std::count(mask.begin(), mask.end(), 0U), 4 * 256 * 256);
    EXPECT_EQ(mask[255], 0U);
    EXPECT_EQ(mask[256], 1U);
    EXPECT_EQ(mask[256 * 516], 1U);
    auto const origins = quad.origins();
    for (std::size_t i = 0; i < origins.size(); ++i) {
        auto const [chip, row, col] = origins[i];
        if (chip < 0) continue;
        ASSERT_EQ(quad.pixel(chip, at(static_cast<int>(row), static_cast<int>(col))), i);
    }
}

TEST(ChipLayout, ChipsSideBySideHaveNoGap) {
    EXPECT_TRUE(ChipLayout::parse("7:0:0,9:0:256").value().gaps().empty());
    // One of several may be all that is wanted.
    ChipLayout const one = ChipLayout::parse("2:0:0:180").value();
    EXPECT_EQ(one.pixel(2, at(0, 0)), 65535U);
    EXPECT_FALSE(one.has(0));
}

TEST(ChipLayout, WhatCannotBeIsSaid) {
    auto const why = [](std::string const& text) {
        auto const made = ChipLayout::parse(text);
        return made ? std::string() : made.error().message;
    };
    for (std::string const text :
         {"0", "0:1", "0:1:2:90", "0:1:2:180:4", "256:0:0", "-1:0:0", "0:0:0,", "0:a:0",
          "0:0:99999", "0:0:9999999999999999999", " 0:0:0", "0:0:0:", ","})
        EXPECT_NE(why(text).find("places no chip"), std::string::npos) << text;
    EXPECT_NE(why("0:0:0,0:256:0").find("chip 0 twice"), std::string::npos);
    EXPECT_NE(why("0:0:0,1:255:255").find("chip 1 over chip 0"), std::string::npos);
    EXPECT_NE(why("0:0:0,1:1024:1024").find("1280x1280"), std::string::npos);
    EXPECT_EQ(why("0:0:0,1:768:768"), "");
}

}  // namespace
}  // namespace sluice::tpx3
