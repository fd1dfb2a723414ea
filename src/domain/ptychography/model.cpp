// Where windows lie on the canvas.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/model.h"

#include <cmath>

namespace sluice::ptycho {

WindowPlace place_of(Position corner, bool sub_pixel) {
    double const row = std::round(corner.row), col = std::round(corner.col);
    WindowPlace place{.row = static_cast<index>(row), .col = static_cast<index>(col)};
    if (sub_pixel) {
        place.row_part = corner.row - row;
        place.col_part = corner.col - col;
    }
    return place;
}

}  // namespace sluice::ptycho
