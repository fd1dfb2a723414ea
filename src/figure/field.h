// A quantity over a plane with axes: colours, contour lines and a colour bar.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/colormap.h"
#include "figure/contrast.h"
#include "figure/drawing.h"

namespace sluice::figure {

/// A line where the values are just `level`.
struct Contour {
    double level = 0;
    std::string name = {};  ///< stands above the field
    Rgb colour{255, 255, 255};
};

struct Field {
    std::string title, x_label, y_label;
    index rows = 0, cols = 0;
    std::vector<double> values = {};    ///< [row][col]; rows ascend with y, columns with x
    Limits x = {}, y = {};              ///< of the outer edges of the cells
    std::string unit = {};              ///< of the values
    std::optional<Limits> limits = {};  ///< of the colours; else those of the values
    Map map = Map::ember;
    std::vector<Contour> contours = {};
};

/// Values between the middles of cells are interpolated; NaN is gray.
Drawing draw_field(Field const& field, index rows, index cols);

/// Ends of pieces of the line at `level`, two by two, in cells from the middle of the first one.
struct Piece {
    double x0, y0, x1, y1;
};
std::vector<Piece> contour_of(Field const& field, double level);

}  // namespace sluice::figure
