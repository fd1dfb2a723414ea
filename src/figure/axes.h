// The axes of a plot: where a value lies on the picture, marks, labels and lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "figure/contrast.h"
#include "figure/drawing.h"
#include "figure/nice.h"

namespace sluice::figure {

/// Two linear axes around an area; y ascends upwards.
class Axes {
  public:
    /// For a drawing of this size; `right` columns stay free for a legend.
    Axes(Limits x, Limits y, index rows, index cols, bool has_title, index right = 0);

    Box const& area() const { return area_; }
    Spot at(double x, double y) const;
    /// The values at the middle of a pixel.
    double x_at(index col) const;
    double y_at(index row) const;
    /// Marks with their numbers, and with `lines` across the area.
    void draw_marks(Drawing& drawing, bool lines) const;
    /// Texts may be empty. The label of y is horizontal, because it is read so. A power of ten that
    /// the marks leave out stands behind the label.
    void draw_texts(Drawing& drawing, std::string const& title, std::string const& x_label,
                    std::string const& y_label) const;

  private:
    Ticks x_ticks() const;
    Ticks y_ticks() const;
    Limits x_, y_;
    Box area_;
};

/// The height of capitals on plots, in pixels.
constexpr double plot_cap = 12;

}  // namespace sluice::figure
