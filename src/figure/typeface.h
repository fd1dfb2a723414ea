// The one typeface of all pictures: DejaVu Sans, which is part of the program, so that a picture
// does not depend on what is installed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "sluice/view.h"

namespace sluice::figure {

/// The font file.
std::span<unsigned char const> font_file();

/// The number of a character's shape; 0 is the box of those that the font does not have.
unsigned glyph_of(char32_t character);

/// From one letter to the next in whole pixels, where a capital is `cap` pixels high.
index advance_of(unsigned glyph, double cap);

/// The size of the font in pixels, where a capital is `cap` pixels high.
double font_size(double cap);

}  // namespace sluice::figure
