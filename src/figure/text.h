// Text on a drawing, and how much room it takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/drawing.h"

namespace sluice::figure {

/// The distance of two base lines in pixels.
index line_height(Pen const& pen);

/// In pixels.
index text_width(std::string_view text, Pen const& pen);

/// Draws one line of UTF-8 from `left`, its capitals standing on `baseline`.
void draw_text(Drawing& drawing, index baseline, index left, std::string_view text, Pen const& pen);

/// The text, or as much of it as is at most `width` pixels wide and an ellipsis.
std::string shortened(std::string_view text, index width, Pen const& pen);

/// The lines of a text, broken at its spaces and line breaks.
std::vector<std::string> wrapped(std::string_view text, index width, Pen const& pen);

}  // namespace sluice::figure
