// Plots: lines where the numbers say, and nothing outside of the axes.
// SPDX-License-Identifier: Apache-2.0
#include "figure/plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "figure/render.h"

namespace sluice::figure {
namespace {

constexpr Rgb red{255, 0, 0};

bool is_red(Rgb c) {
    return c.r > 180 && c.g < 80 && c.b < 80;
}

// Rows of red in a column.
std::vector<index> red_rows(Picture const& p, index col) {
    std::vector<index> out;
    for (index r = 0; r < p.rows; ++r)
        if (is_red(pixel(p, r, col))) out.push_back(r);
    return out;
}

TEST(Plot, ALineIsWhereItsNumbersAre) {
    Plot plot{"title", "x", "y", {{"s", {0, 1}, {0, 1}, red}}};
    plot.x = plot.y = Limits{0, 1};
    Picture const p = picture_of(draw_plot(plot, 300, 400)).value();
    ASSERT_EQ(p.rows, 300);
    ASSERT_EQ(p.cols, 400);
    // It rises to the right by the same number of rows for each column.
    auto const a = red_rows(p, 150), b = red_rows(p, 250), c = red_rows(p, 350);
    ASSERT_FALSE(a.empty() || b.empty() || c.empty());
    EXPECT_GT(a[0], b[0]);
    EXPECT_NEAR(static_cast<double>(a[0] - b[0]), static_cast<double>(b[0] - c[0]), 1.5);
}

bool says(Drawing const& drawing, std::string_view text) {
    return std::ranges::any_of(drawing.shapes, [&](Shape const& s) {
        auto const* const letters = std::get_if<Letters>(&s);
        return letters && letters->text == text;
    });
}

TEST(Plot, APowerOfTenStandsBehindTheLabel) {
    Plot plot{"title", "dose, Gy", "area, mm2", {{"s", {0, 1.17e-7}, {0, 3e6}, red}}};
    Drawing const small = draw_plot(plot, 300, 400);
    EXPECT_TRUE(says(small, "dose, Gy ×10⁻⁷"));
    EXPECT_TRUE(says(small, "area, mm2 ×10⁶"));
    plot.series[0] = {"s", {0, 20}, {0, 300}, red};
    Drawing const plain = draw_plot(plot, 300, 400);
    EXPECT_TRUE(says(plain, "dose, Gy"));
    EXPECT_TRUE(says(plain, "area, mm2"));
}

TEST(Plot, OutsideOfTheAxesAndGapsNothingIsDrawn) {
    Plot plot{
        "", "x", "y", {{"s", {-5, 0.4, 0.5, 0.6, 9}, {0.5, 0.5, std::nan(""), 0.5, 0.5}, red}}};
    plot.x = plot.y = Limits{0, 1};
    Picture const p = picture_of(draw_plot(plot, 200, 300)).value();
    EXPECT_TRUE(red_rows(p, 10).empty());
    EXPECT_TRUE(red_rows(p, 297).empty());
    index gaps = 0, drawn = 0;
    for (index c = 100; c < 280; ++c) (red_rows(p, c).empty() ? gaps : drawn) += 1;
    EXPECT_GT(gaps, 20);
    EXPECT_GT(drawn, 60);
}

TEST(Plot, NothingToDrawIsAPictureToo) {
    EXPECT_EQ(picture_of(draw_plot({}, 120, 160)).value().rows, 120);
    EXPECT_EQ(picture_of(draw_plot({"t", "x", "y", {{"s", {1}, {2}}}}, 10, 10)).value().cols, 10);
    EXPECT_EQ(
        picture_of(draw_plot({"t", "x", "y", {{"s", {1, 1}, {2, 2}}}}, 100, 100)).value().cols,
        100);
}

}  // namespace
}  // namespace sluice::figure
