// Tests of drawing on pictures.
// SPDX-License-Identifier: Apache-2.0
#include "figure/picture.h"

#include <gtest/gtest.h>

#include <numeric>

namespace sluice::figure {
namespace {

TEST(Picture, BlendAndCut) {
    Picture p = blank(4, 5, {10, 20, 30});
    set_pixel(p, 1, 2, {110, 20, 230}, 0.5);
    EXPECT_EQ(pixel(p, 1, 2), (Rgb{60, 20, 130}));
    set_pixel(p, -1, 2, {}, 1);
    set_pixel(p, 4, 2, {}, 1);
    set_pixel(p, 0, 5, {}, 1);
    frame(p, {0, 0, 4, 5}, {1, 1, 1});  // all outside
    EXPECT_EQ(pixel(p, 0, 0), (Rgb{10, 20, 30}));
    frame(p, {1, 1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(pixel(p, 0, 0), (Rgb{1, 1, 1}));
    EXPECT_EQ(pixel(p, 2, 2), (Rgb{1, 1, 1}));
    EXPECT_EQ(pixel(p, 1, 1), (Rgb{10, 20, 30}));
}

TEST(Picture, Paste) {
    Picture const from = blank(3, 3, {9, 9, 9});
    for (auto const& [top, left, n] :
         {std::array<index, 3>{1, 1, 9}, {-1, -2, 2}, {4, 3, 2}, {-3, 0, 0}, {0, 9, 0}}) {
        Picture onto = blank(5, 5, {0, 0, 0});
        paste(onto, top, left, from);
        EXPECT_EQ(std::accumulate(onto.rgb.begin(), onto.rgb.end(), 0), 27 * n);
    }
}

TEST(Picture, ResizedByAWholeFactorRepeatsPixels) {
    Picture p = blank(2, 3, {});
    for (std::size_t i = 0; i < p.rgb.size(); ++i) p.rgb[i] = static_cast<std::uint8_t>(11 * i);
    Picture const big = resized(p, 8, 12);
    for (index row = 0; row < 8; ++row)
        for (index col = 0; col < 12; ++col)
            EXPECT_EQ(pixel(big, row, col), pixel(p, row / 4, col / 4));
    EXPECT_EQ(resized(big, 2, 3).rgb, p.rgb);
}

TEST(Picture, ResizedByAnyFactorKeepsTheMean) {
    Picture p = blank(1, 2, {0, 0, 0});
    set_pixel(p, 0, 1, {200, 100, 50});
    Picture const three = resized(p, 1, 3);
    EXPECT_EQ(pixel(three, 0, 0), (Rgb{0, 0, 0}));
    EXPECT_EQ(pixel(three, 0, 1), (Rgb{100, 50, 25}));
    EXPECT_EQ(pixel(three, 0, 2), (Rgb{200, 100, 50}));
    EXPECT_EQ(pixel(resized(three, 1, 1), 0, 0), (Rgb{100, 50, 25}));
}

}  // namespace
}  // namespace sluice::figure
