// The axes of a plot: where a value lies on the picture, marks, labels and lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "figure/contrast.h"
#include "figure/picture.h"

namespace sluice::figure {

/// A point on a picture, in pixels from its top left corner.
struct Spot {
    double col, row;
};

/// A straight line with soft edges; only what lies in `clip` is drawn.
void draw_line(Picture& picture, Box const& clip, Spot a, Spot b, double thickness, Rgb colour);

/// Two linear axes around an area; y ascends upwards.
class Axes {
  public:
    /// For a picture of this size; `right` columns stay free for a legend.
    Axes(Limits x, Limits y, index rows, index cols, bool has_title, index right = 0);

    Box const& area() const { return area_; }
    Spot at(double x, double y) const;
    /// The values at the middle of a pixel.
    double x_at(index col) const;
    double y_at(index row) const;
    /// Marks with their numbers, and with `lines` across the area.
    void draw_marks(Picture& picture, bool lines) const;
    /// Texts may be empty. The label of y is horizontal, because it is read so.
    void draw_texts(Picture& picture, std::string const& title, std::string const& x_label,
                    std::string const& y_label) const;

  private:
    Limits x_, y_;
    Box area_;
};

/// The height of capitals on plots, in pixels.
constexpr double plot_cap = 12;

}  // namespace sluice::figure
