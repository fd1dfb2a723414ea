// Curves over an axis, as a drawing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/contrast.h"
#include "figure/drawing.h"

namespace sluice::figure {

struct Series {
    std::string name;
    std::vector<double> x = {}, y = {};  ///< a point that is not finite leaves a gap
    Rgb colour = {110, 168, 254};
    double thickness = 2;  ///< pixels
};

struct Plot {
    std::string title, x_label, y_label;
    std::vector<Series> series = {};
    std::optional<Limits> x = {}, y = {};  ///< else those of the points, rounded
};

/// Axes with marks, a line per series, and the names if there are several, where they hide
/// least. The left edges of the
/// axes stand below each other in plots of the same width.
Drawing draw_plot(Plot const& plot, index rows, index cols);

}  // namespace sluice::figure
