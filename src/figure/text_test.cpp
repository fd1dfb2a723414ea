// Tests of the typeface and of text on pictures.
// SPDX-License-Identifier: Apache-2.0
#include "figure/text.h"

#include <gtest/gtest.h>

#include <set>

#include "figure/font.h"

namespace sluice::figure {
namespace {

constexpr Rgb black{0, 0, 0}, white{255, 255, 255};

std::vector<std::uint8_t> drawn(std::string_view text, double cap) {
    Picture p = blank(60, 80, black);
    draw_text(p, 40, 10, text, {cap, white, 1});
    return p.rgb;
}

TEST(Font, EveryCharacterLooksDifferent) {
    std::set<std::vector<std::uint8_t>> seen = {drawn("\u2603", 20)};  // the box
    int n = 1;
    for (char c = ' '; c <= '~'; ++c, ++n) seen.insert(drawn(std::string(1, c), 20));
    for (char const* text : {"µ", "Å", "°", "×", "·", "±", "≤", "≥", "θ", "π", "Δ", "–", "−",
                             "…", "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"}) {
        seen.insert(drawn(text, 20));
        ++n;
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(drawn("\u03bc", 20), drawn("\u00b5", 20));
    EXPECT_EQ(drawn("\xff", 20), drawn("\u2603", 20));
}

TEST(Font, StrokesStayInTheirLine) {
    for (char32_t c = 0x20; c < 0x250; ++c)
        for (Stroke const& s : glyph_of(c).strokes) {
            EXPECT_GE(std::min({s.x0, s.y0, s.x1, s.y1}), 0);
            EXPECT_LE(std::max(s.y0, s.y1), 11);
            EXPECT_LE(std::max(s.x0, s.x1), glyph_of(c).width);
        }
}

TEST(Text, IsAsWideAsMeasured) {
    for (double cap : {11.0, 12.0, 17.0, 32.0})
        for (std::string_view text : {"W", "9000", "Hello, nm⁻¹", "jÅ|"}) {
            Pen const pen{cap, white, 1};
            Picture p = blank(100, 600, black);
            draw_text(p, 60, 20, text, pen);
            index first = p.cols, last = 0;
            for (index row = 0; row < p.rows; ++row)
                for (index col = 0; col < p.cols; ++col)
                    if (pixel(p, row, col).r > 60) {
                        first = std::min(first, col);
                        last = std::max(last, col);
                    }
            EXPECT_GE(first, 19) << text;
            EXPECT_LE(last, 20 + text_width(text, pen)) << text << " at " << cap;
            EXPECT_GE(last, 20 + text_width(text, pen) - 4) << text << " at " << cap;
        }
    EXPECT_EQ(text_width("", {}), 0);
}

TEST(Text, OutsideThePictureIsCutOff) {
    Picture p = blank(10, 10, black);
    draw_text(p, -50, -50, "far away", {});
    EXPECT_EQ(p.rgb, blank(10, 10, black).rgb);
    draw_text(p, 14, -5, "HHHH", {});
    EXPECT_NE(p.rgb, blank(10, 10, black).rgb);
}

TEST(Text, ShortenedAndWrapped) {
    Pen const pen{12, white, 1};
    EXPECT_EQ(shortened("short", 1000, pen), "short");
    std::string const cut = shortened("a rather long title µµµµ", 100, pen);
    EXPECT_TRUE(cut.ends_with("…"));
    EXPECT_LE(text_width(cut, pen), 100);
    auto const lines =
        wrapped("one two three four five\nsix " + std::string(300, 'x') + " seven", 100, pen);
    EXPECT_GE(lines.size(), 5u);
    EXPECT_EQ(lines.back(), "seven");
    for (auto const& line : lines) EXPECT_LE(text_width(line, pen), 100) << line;
    EXPECT_TRUE(wrapped("", 100, pen).empty());
}

}  // namespace
}  // namespace sluice::figure
