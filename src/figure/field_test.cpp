// Fields: colours, contours and NaN lie where the axes say.
// SPDX-License-Identifier: Apache-2.0
#include "figure/field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "figure/render.h"

namespace sluice::figure {
namespace {

// A hill of height 1 in the middle; x from -10 to 10, y from 0 to 10.
Field hill() {
    Field f{"title", "x", "y", 40, 80};
    f.x = {-10, 10};
    f.y = {0, 10};
    for (index r = 0; r < 40; ++r)
        for (index c = 0; c < 80; ++c) {
            double const x = -10 + 0.25 * (static_cast<double>(c) + 0.5);
            double const y = 0.25 * (static_cast<double>(r) + 0.5) - 5;
            f.values.push_back(std::exp(-(x * x + y * y) / 8));
        }
    return f;
}

TEST(Field, ContoursAreWhereTheLevelIs) {
    Field const f = hill();
    for (double const level : {0.2, 0.5, 0.9}) {
        double const radius = std::sqrt(-8 * std::log(level));
        double length = 0;
        for (Piece const& p : contour_of(f, level)) {
            for (auto const& [c, r] : {std::pair{p.x0, p.y0}, std::pair{p.x1, p.y1}}) {
                double const x = -10 + 0.25 * (c + 0.5), y = 0.25 * (r + 0.5) - 5;
                EXPECT_NEAR(std::hypot(x, y), radius, 0.02) << level;
            }
            length += 0.25 * std::hypot(p.x1 - p.x0, p.y1 - p.y0);
        }
        EXPECT_NEAR(length, 2 * std::numbers::pi * radius, 0.03 * 2 * std::numbers::pi * radius)
            << level;
    }
    EXPECT_TRUE(contour_of(f, 2).empty());
    EXPECT_TRUE(contour_of(f, -1).empty());
}

TEST(Field, ContoursLeaveOutWhatIsNoNumber) {
    Field f = hill();
    for (index r = 0; r < 40; ++r)
        for (index c = 0; c < 40; ++c)
            f.values[static_cast<std::size_t>(r * 80 + c)] = std::nan("");
    auto const pieces = contour_of(f, 0.5);
    EXPECT_FALSE(pieces.empty());
    for (Piece const& p : pieces) EXPECT_GE(std::min(p.x0, p.x1), 40);
}

TEST(Field, ColoursAreWhereTheirValuesAre) {
    Field f = hill();
    f.values[0] = std::nan("");  // low x, low y: at the bottom left
    Picture const p = picture_of(draw_field(f, 300, 700)).value();
    ASSERT_EQ(p.rows, 300);
    ASSERT_EQ(p.cols, 700);
    // The brightest pixel below the texts is that of the hill's top, in the middle of the area.
    index best = 0, at_row = 0, at_col = 0;
    for (index r = 60; r < 240; ++r)
        for (index c = 80; c < 600; ++c) {
            Rgb const v = pixel(p, r, c);
            if (index const sum = v.r + v.g + v.b; sum > best) best = sum, at_row = r, at_col = c;
        }
    Colormap const ember(Map::ember);
    EXPECT_GT(best, 3 * 180);
    EXPECT_NEAR(static_cast<double>(at_row), 145, 25);
    EXPECT_NEAR(static_cast<double>(at_col), 340, 40);
    index gray = 0;
    for (index r = 0; r < p.rows; ++r)
        for (index c = 0; c < p.cols; ++c) {
            Rgb const v = pixel(p, r, c);
            if (v.r != no_data.r || v.g != no_data.g || v.b != no_data.b) continue;
            ++gray;
            EXPECT_GT(r, 200);
            EXPECT_LT(c, 120);
        }
    EXPECT_GT(gray, 10);
}

TEST(Field, OneCellAndNoNumbersArePicturesToo) {
    Field f{"", "x", "y", 1, 1, {std::nan("")}};
    EXPECT_EQ(picture_of(draw_field(f, 100, 100)).value().rows, 100);
    f.values = {3};
    f.contours = {{3, "3"}};
    EXPECT_EQ(picture_of(draw_field(f, 20, 10)).value().cols, 10);
}

}  // namespace
}  // namespace sluice::figure
