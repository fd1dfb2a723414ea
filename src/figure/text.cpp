// Text on a drawing, and how much room it takes.
// SPDX-License-Identifier: Apache-2.0
#include "figure/text.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "figure/typeface.h"

namespace sluice::figure {

index line_height(Pen const& pen) {
    return static_cast<index>(std::lround(1.9 * pen.cap));
}

index text_width(std::string_view text, Pen const& pen) {
    index width = 0;
    while (!text.empty()) width += advance_of(glyph_of(next_character(text)), pen.cap);
    return width;
}

void draw_text(Drawing& drawing, index baseline, index left, std::string_view text,
               Pen const& pen) {
    if (!text.empty()) drawing.shapes.emplace_back(Letters{baseline, left, std::string(text), pen});
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
