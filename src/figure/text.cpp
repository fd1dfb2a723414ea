// Glyphs to pixels: the coverage of a pixel follows from its distance to the nearest stroke.
// SPDX-License-Identifier: Apache-2.0
#include "figure/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "figure/font.h"

namespace sluice::figure {
namespace {

constexpr double units_per_cap = 8, space_between = 2.3, superscript = 0.68;

double distance(Stroke const& s, double x, double y) {
    double const dx = s.x1 - s.x0, dy = s.y1 - s.y0;
    double const length2 = dx * dx + dy * dy;
    double const along = length2 > 0 ? ((x - s.x0) * dx + (y - s.y0) * dy) / length2 : 0;
    double const t = std::clamp(along, 0.0, 1.0);
    return std::hypot(x - s.x0 - t * dx, y - s.y0 - t * dy);
}

/// A dot is thicker than a line, or it would look smaller.
double thickness(Stroke const& s) {
    return s.x0 == s.x1 && s.y0 == s.y1 ? 1.35 : 1;
}

double unit_of(Glyph const& glyph, Pen const& pen) {
    return pen.cap / units_per_cap * (glyph.raised ? superscript : 1);
}

double advance(Glyph const& glyph, Pen const& pen) {
    return std::round((glyph.width + space_between) * unit_of(glyph, pen));
}

/// Half a stroke lies left of the path of the first character.
double lead(Pen const& pen) {
    return std::round(pen.cap / units_per_cap / 2);
}

void draw_glyph(Picture& picture, double top, double left, Glyph const& glyph, Pen const& pen) {
    if (glyph.strokes.empty()) return;
    double const unit = unit_of(glyph, pen);
    double const radius = std::max(0.62, 0.5 * pen.weight * unit);
    std::vector<Stroke> strokes;
    double lowest = 0;
    for (Stroke const& s : glyph.strokes) {
        strokes.push_back(
            {left + s.x0 * unit, top + s.y0 * unit, left + s.x1 * unit, top + s.y1 * unit});
        lowest = std::max({lowest, s.y0 * unit, s.y1 * unit});
    }
    auto const first = [&](double v) { return static_cast<index>(std::floor(v - radius - 1)); };
    auto const last = [&](double v) { return static_cast<index>(std::ceil(v + radius + 1)); };
    for (index row = first(top); row <= last(top + lowest); ++row)
        for (index col = first(left); col <= last(left + glyph.width * unit); ++col) {
            double inside = std::numeric_limits<double>::lowest();
            for (Stroke const& s : strokes)
                inside = std::max(
                    inside, thickness(s) * radius - distance(s, static_cast<double>(col) + 0.5,
                                                             static_cast<double>(row) + 0.5));
            double const coverage = std::clamp(inside + 0.5, 0.0, 1.0);
            if (coverage > 0) set_pixel(picture, row, col, pen.colour, coverage);
        }
}

}  // namespace

index line_height(Pen const& pen) {
    return static_cast<index>(std::lround(1.9 * pen.cap));
}

index text_width(std::string_view text, Pen const& pen) {
    if (text.empty()) return 0;
    double width = lead(pen), gap = 0;
    while (!text.empty()) {
        Glyph const glyph = glyph_of(next_character(text));
        width += advance(glyph, pen);
        gap = std::floor((space_between - 1) * unit_of(glyph, pen));
    }
    return static_cast<index>(std::ceil(width - gap));
}

void draw_text(Picture& picture, index baseline, index left, std::string_view text,
               Pen const& pen) {
    double const top = static_cast<double>(baseline) - pen.cap;
    double x = static_cast<double>(left) + lead(pen);
    while (!text.empty()) {
        Glyph const glyph = glyph_of(next_character(text));
        double const raise = glyph.raised ? std::round(0.22 * pen.cap) : 0;
        draw_glyph(picture, top - raise, x, glyph, pen);
        x += advance(glyph, pen);
    }
}

std::string shortened(std::string_view text, index width, Pen const& pen) {
    if (text_width(text, pen) <= width) return std::string(text);
    std::string kept;
    while (!text.empty()) {
        std::string_view const before = text;
        next_character(text);
        std::string const longer =
            kept + std::string(before.substr(0, before.size() - text.size()));
        if (text_width(longer + "…", pen) > width) break;
        kept = longer;
    }
    return kept + "…";
}

std::vector<std::string> wrapped(std::string_view text, index width, Pen const& pen) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        std::string_view paragraph = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), paragraph.size() + 1));
        std::string line;
        while (!paragraph.empty()) {
            std::string_view const word = paragraph.substr(0, paragraph.find(' '));
            paragraph.remove_prefix(std::min(paragraph.size(), word.size() + 1));
            std::string const longer =
                line.empty() ? std::string(word) : line + ' ' + std::string(word);
            if (!line.empty() && text_width(longer, pen) > width) {
                lines.push_back(shortened(line, width, pen));
                line = word;
            } else {
                line = longer;
            }
        }
        lines.push_back(shortened(line, width, pen));
    }
    return lines;
}

}  // namespace sluice::figure
