// Pixels of a Picture, one by one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/colour.h"
#include "sluice/save.h"

namespace sluice::figure {

/// A part of a picture, in pixels from its top left corner.
struct Box {
    index top = 0, left = 0, rows = 0, cols = 0;
    index bottom() const { return top + rows; }
    index right() const { return left + cols; }
};

Picture blank(index rows, index cols, Rgb colour);

Rgb pixel(Picture const& picture, index row, index col);

/// Outside the picture nothing happens.
void set_pixel(Picture& picture, index row, index col, Rgb colour);

/// Each pixel of the result has the colour of the one that its middle lies in. No size is 0.
Picture nearest(Picture const& picture, index rows, index cols);

}  // namespace sluice::figure
