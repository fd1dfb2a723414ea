// Tests of the typeface and of text on drawings.
// SPDX-License-Identifier: Apache-2.0
#include "figure/text.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "figure/render.h"
#include "figure/typeface.h"

namespace sluice::figure {
namespace {

constexpr Rgb black{0, 0, 0}, white{255, 255, 255};

Picture drawn(std::string_view text, double cap, index rows = 60, index cols = 80) {
    Drawing d = sheet(rows, cols, black);
    draw_text(d, rows * 2 / 3, 10, text, {cap, white});
    return picture_of(d).value();
}

// The smallest box that holds all ink.
Box ink_of(Picture const& p) {
    index top = p.rows, left = p.cols, bottom = -1, right = -1;
    for (index row = 0; row < p.rows; ++row)
        for (index col = 0; col < p.cols; ++col)
            if (pixel(p, row, col).r > 60) {
                top = std::min(top, row), bottom = std::max(bottom, row);
                left = std::min(left, col), right = std::max(right, col);
            }
    return {top, left, bottom - top + 1, right - left + 1};
}

TEST(Typeface, EveryCharacterLooksDifferent) {
    std::set<std::vector<std::uint8_t>> seen = {drawn("\U000f0000", 20).rgb};  // the box
    int n = 1;
    for (char c = ' '; c <= '~'; ++c, ++n) seen.insert(drawn(std::string(1, c), 20).rgb);
    for (char const* text : {"Å", "°", "×", "·", "±", "≤", "≥", "θ", "π", "Δ", "–", "−", "…",
                             "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻", "ß", "ж"}) {
        seen.insert(drawn(text, 20).rgb);
        ++n;
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(drawn("\u03bc", 20).rgb, drawn("\u00b5", 20).rgb);
}

TEST(Typeface, WhatItDoesNotHaveIsABox) {
    Picture const box = drawn("\U000f0000", 20);
    EXPECT_EQ(glyph_of(U'\U000f0000'), 0u);
    EXPECT_GT(ink_of(box).cols, 8);
    EXPECT_GT(ink_of(box).rows, 14);
    for (std::string_view const text : {"\xff", "\t", "\xc3"})
        EXPECT_EQ(drawn(text, 20).rgb, box.rgb) << "neither UTF-8 nor a letter";
    EXPECT_GT(text_width("a\xff z", {}), text_width("a z", {}));
}

TEST(Text, CapitalsAreAsHighAsThePenSays) {
    for (double cap : {11.0, 12.0, 17.0, 32.0}) {
        Box const ink = ink_of(drawn("H", cap));
        EXPECT_NEAR(static_cast<double>(ink.rows), cap, 1.01) << cap;
        EXPECT_EQ(ink.bottom(), 40) << "it stands on the base line";
    }
}

TEST(Text, IsAsWideAsMeasured) {
    for (double cap : {11.0, 12.0, 17.0, 32.0})
        for (std::string_view text : {"W", "9000", "Hello, nm⁻¹", "ÅÅ|"}) {
            Box const ink = ink_of(drawn(text, cap, 100, 600));
            index const width = text_width(text, {cap, white});
            EXPECT_GE(ink.left, 9) << text;
            EXPECT_LE(ink.right(), 10 + width + 1) << text << " at " << cap;
            EXPECT_GE(ink.right(), 10 + width - static_cast<index>(cap / 2)) << text;
        }
    EXPECT_EQ(text_width("", {}), 0);
}

TEST(Text, OutsideThePictureIsCutOff) {
    Drawing d = sheet(10, 10, black);
    auto const empty = picture_of(d).value().rgb;
    draw_text(d, -50, -50, "far away", {});
    EXPECT_EQ(picture_of(d).value().rgb, empty);
    draw_text(d, 14, -5, "HHHH", {});
    EXPECT_NE(picture_of(d).value().rgb, empty);
}

TEST(Text, ManyThreadsDrawTheSame) {
    auto const expected = drawn("250 nm⁻¹", 17).rgb;
    std::vector<int> wrong(6);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 20; ++i) {
                drawn(std::string(1, static_cast<char>('a' + i)), 11.0 + static_cast<double>(t));
                wrong[t] += drawn("250 nm⁻¹", 17).rgb != expected;
            }
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, std::vector<int>(6));
}

TEST(Text, ShortenedAndWrapped) {
    Pen const pen{12, white};
    EXPECT_EQ(shortened("short", 1000, pen), "short");
    std::string const cut = shortened("a rather long title µµµµ", 100, pen);
    EXPECT_TRUE(cut.ends_with("…"));
    EXPECT_LE(text_width(cut, pen), 100);
    auto const lines =
        wrapped("one two three four five\nsix " + std::string(300, 'x') + " seven", 100, pen);
    EXPECT_GE(lines.size(), 4u);
    EXPECT_EQ(lines.back(), "seven");
    for (auto const& line : lines) EXPECT_LE(text_width(line, pen), 100) << line;
    EXPECT_TRUE(wrapped("", 100, pen).empty());
}

}  // namespace
}  // namespace sluice::figure
