// The typeface of the pictures: strokes of a round pen, drawn for this project.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace sluice::figure {

/// A straight piece of a stroke, in units of an eighth of the height of a capital; y grows
/// downwards from the top of the capitals, the base line is at 8.
struct Stroke {
    double x0, y0, x1, y1;
};

struct Glyph {
    std::vector<Stroke> strokes;
    double width = 0;     ///< of the pen's path
    bool raised = false;  ///< a superscript: to be drawn small and high
};

/// ASCII, superscript digits, and µ Å ° × · ± ≤ ≥ θ π Δ – −; anything else is a box.
Glyph glyph_of(char32_t character);

}  // namespace sluice::figure
