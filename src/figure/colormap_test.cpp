// Tests of the colour maps: lightness, symmetry, cycles and names.
// SPDX-License-Identifier: Apache-2.0
#include "figure/colormap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "figure/words.h"

namespace sluice::figure {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double step(Rgb a, Rgb b) {
    Lab const p = lab_of(a), q = lab_of(b);
    return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
}

TEST(Colour, SrgbThroughOklabAndBack) {
    for (Rgb c :
         {Rgb{0, 0, 0}, Rgb{255, 255, 255}, Rgb{255, 0, 0}, Rgb{12, 200, 99}, Rgb{3, 2, 1}}) {
        Rgb const back = rgb_of(lab_of(c));
        EXPECT_NEAR(back.r, c.r, 1);
        EXPECT_NEAR(back.g, c.g, 1);
        EXPECT_NEAR(back.b, c.b, 1);
    }
    // Published values of the transform: white is (1, 0, 0), red (0.628, 0.225, 0.126).
    EXPECT_NEAR(lab_of(Rgb{255, 255, 255}).l, 1, 1e-3);
    EXPECT_NEAR(lab_of(Rgb{255, 0, 0}).l, 0.628, 1e-3);
    EXPECT_NEAR(lab_of(Rgb{255, 0, 0}).a, 0.225, 1e-3);
    EXPECT_NEAR(lab_of(Rgb{255, 0, 0}).b, 0.126, 1e-3);
}

TEST(Colour, TooMuchChromaKeepsTheLightness) {
    for (double hue = 0; hue < 360; hue += 30)
        EXPECT_NEAR(lab_of(rgb_of(lab_of(0.6, 0.5, hue))).l, 0.6, 0.01);
}

TEST(Colormap, LightnessGrowsEvenly) {
    for (Map map : {Map::gray, Map::ember, Map::dusk, Map::meadow}) {
        Colormap const colours(map);
        double last = -1;
        for (int i = 0; i < 256; i += 5) {
            double const l = lab_of(colours(i / 255.0)).l;
            EXPECT_GT(l, last) << static_cast<int>(map) << " at " << i;
            last = l;
        }
        if (map == Map::gray) continue;
        double const dark = lab_of(colours(0)).l;
        for (double t : {0.25, 0.5, 0.75})
            EXPECT_NEAR(lab_of(colours(t)).l, dark + t * (last - dark), 0.015);
    }
    EXPECT_EQ(Colormap(Map::gray)(0), (Rgb{0, 0, 0}));
    EXPECT_EQ(Colormap(Map::gray)(1), (Rgb{255, 255, 255}));
}

TEST(Colormap, NoMapJumps) {
    for (Map map : {Map::gray, Map::ember, Map::dusk, Map::meadow, Map::balance, Map::phase}) {
        Colormap const colours(map);
        for (int i = 8; i < 256; ++i)  // 8 bits are coarse in the darkest colours
            EXPECT_LT(step(colours((i - 1) / 255.0), colours(i / 255.0)), 0.025)
                << static_cast<int>(map) << " at " << i;
    }
}

TEST(Colormap, BalanceIsEvenAndPhaseIsClosed) {
    Colormap const balance(Map::balance), phase(Map::phase);
    for (double t : {0.0, 0.1, 0.3, 0.45}) {
        Lab const below = lab_of(balance(t)), above = lab_of(balance(1 - t));
        EXPECT_NEAR(below.l, above.l, 0.01);
        EXPECT_NEAR(std::hypot(below.a, below.b), std::hypot(above.a, above.b), 0.02);
    }
    EXPECT_GT(lab_of(balance(0.5)).l, 0.95);
    EXPECT_GT(balance(0).b, balance(0).r);
    EXPECT_GT(balance(1).r, balance(1).b);
    EXPECT_LT(step(phase(0), phase(1)), 0.01);
    EXPECT_NE(phase(0), phase(1));
    EXPECT_GT(step(phase(0), phase(0.5)), 0.15);
    for (double t = 0; t < 1; t += 0.1) EXPECT_NEAR(lab_of(phase(t)).l, 0.74, 0.01);
}

TEST(Colormap, OutOfRangeAndNoData) {
    Colormap const colours(Map::ember);
    EXPECT_EQ(colours(-3), colours(0));
    EXPECT_EQ(colours(7), colours(1));
    EXPECT_EQ(colours(nan), no_data);
}

TEST(Colormap, Names) {
    EXPECT_EQ(config::read_word<Map>("the map", "balance").value(), Map::balance);
    EXPECT_EQ(config::read_word<Map>("the map", "viridis").value(), Map::meadow);
    EXPECT_EQ(config::word_of(Map::meadow), "meadow");
    EXPECT_FALSE(config::read_word<Map>("the map", "jet"));
}

TEST(VectorColour, DirectionIsHueAndMagnitudeBrightness) {
    EXPECT_LT(lab_of(vector_colour(0, 0.2)).l, lab_of(vector_colour(0, 0.6)).l);
    EXPECT_EQ(vector_colour(0, 1), vector_colour(0, 5));
    EXPECT_EQ(vector_colour(nan, 1), no_data);
    for (int i = 0; i < 8; ++i) {
        double const a = i * std::numbers::pi / 4, b = a + std::numbers::pi / 4;
        EXPECT_GT(
            step(vector_colour(std::sin(a), std::cos(a)), vector_colour(std::sin(b), std::cos(b))),
            0.05);
    }
}

}  // namespace
}  // namespace sluice::figure
