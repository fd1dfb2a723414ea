// Drawing on a Picture: rectangles, blending, pasting.
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

/// Sets a pixel, or mixes it with `opacity` 0 to 1; outside the picture nothing happens.
void set_pixel(Picture& picture, index row, index col, Rgb colour, double opacity = 1);

void fill(Picture& picture, Box box, Rgb colour, double opacity = 1);

/// A line of one pixel around the outside of `box`.
void frame(Picture& picture, Box box, Rgb colour);

/// Copies `from` into `onto`; what would stick out is cut off.
void paste(Picture& onto, index top, index left, Picture const& from);

/// Resized by the area that pixels cover: a whole factor repeats pixels, any other also mixes
/// neighbours. Neither size is 0.
Picture resized(Picture const& picture, index rows, index cols);

}  // namespace sluice::figure
