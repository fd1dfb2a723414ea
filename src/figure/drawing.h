// Drawing: what is on a picture, in the order in which it is drawn; it becomes pixels, SVG or PDF.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "figure/picture.h"

namespace sluice::figure {

/// A point on a picture, in pixels from its top left corner.
struct Spot {
    double col, row;
};

/// How a text looks; `cap` is the height of a capital letter in pixels.
struct Pen {
    double cap = 12;
    Rgb colour{226, 230, 236};
};

/// A rectangle of one colour.
struct Filled {
    Box box;
    Rgb colour;
    double opacity = 1;
};

/// Lines with round ends; only what lies in `clip` is seen.
struct Stroke {
    Box clip;
    std::vector<std::vector<Spot>> lines;
    double thickness = 1;
    Rgb colour;
};

/// One line of UTF-8 from `left`, its capitals standing on `baseline`.
struct Letters {
    index baseline = 0, left = 0;
    std::string text;
    Pen pen;
};

/// Data: each pixel becomes a rectangle of its colour, and nothing is mixed.
struct Pixels {
    Box box;
    Picture picture;
    bool is_round = false;  ///< only the largest ellipse in the box is seen
};

using Shape = std::variant<Filled, Stroke, Letters, Pixels>;

struct Drawing {
    index rows = 0, cols = 0;  ///< in pixels
    std::vector<Shape> shapes = {};
};

/// A drawing of one colour.
Drawing sheet(index rows, index cols, Rgb colour);

void fill(Drawing& drawing, Box box, Rgb colour, double opacity = 1);

/// A line of one pixel around the outside of `box`.
void frame(Drawing& drawing, Box box, Rgb colour);

/// A line through the points; one that is not finite leaves a gap.
void draw_line(Drawing& drawing, Box const& clip, std::vector<Spot> const& points, double thickness,
               Rgb colour);

/// Puts all of `from` onto a drawing.
void paste(Drawing& onto, index top, index left, Drawing const& from);

}  // namespace sluice::figure
