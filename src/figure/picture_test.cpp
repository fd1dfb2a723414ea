// Tests of pixels.
// SPDX-License-Identifier: Apache-2.0
#include "figure/picture.h"

#include <gtest/gtest.h>

namespace sluice::figure {
namespace {

TEST(Picture, OutsideNothingIsSet) {
    Picture p = blank(4, 5, {10, 20, 30});
    for (auto const& [row, col] : {std::pair<index, index>{-1, 2}, {4, 2}, {0, 5}, {0, -1}})
        set_pixel(p, row, col, {});
    EXPECT_EQ(p.rgb, blank(4, 5, {10, 20, 30}).rgb);
    set_pixel(p, 3, 4, {1, 2, 3});
    EXPECT_EQ(pixel(p, 3, 4), (Rgb{1, 2, 3}));
}

TEST(Picture, AWholeFactorRepeatsPixels) {
    Picture p = blank(2, 3, {});
    for (std::size_t i = 0; i < p.rgb.size(); ++i) p.rgb[i] = static_cast<std::uint8_t>(11 * i);
    Picture const big = nearest(p, 8, 12);
    for (index row = 0; row < 8; ++row)
        for (index col = 0; col < 12; ++col)
            EXPECT_EQ(pixel(big, row, col), pixel(p, row / 4, col / 4));
    EXPECT_EQ(nearest(big, 2, 3).rgb, p.rgb);
}

TEST(Picture, AnyFactorKeepsColours) {
    Picture p = blank(1, 2, {0, 0, 0});
    set_pixel(p, 0, 1, {200, 100, 50});
    Picture const five = nearest(p, 1, 5);
    for (index col = 0; col < 5; ++col)
        EXPECT_EQ(pixel(five, 0, col), pixel(p, 0, col < 2 ? 0 : 1)) << col;
}

}  // namespace
}  // namespace sluice::figure
