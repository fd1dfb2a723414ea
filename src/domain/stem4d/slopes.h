// Curl and divergence at the inner positions of a field.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

struct Slopes {
    double curl = 0, divergence = 0;
};

/// Calls use(slopes, row, col) at every inner position whose four neighbours are known, of the
/// field with its components exchanged or not. Slopes are differences of neighbours two steps
/// apart.
template <class Use>
void for_each_inner(Array<double> const& row, Array<double> const& col, bool transpose, Use use) {
    auto const u = view<2>(transpose ? col : row), v = view<2>(transpose ? row : col);
    for (index r = 1; r < u.extent(0) - 1; ++r)
        for (index c = 1; c < u.extent(1) - 1; ++c) {
            double const curl = v(r + 1, c) - v(r - 1, c) - (u(r, c + 1) - u(r, c - 1));
            double const divergence = u(r + 1, c) - u(r - 1, c) + (v(r, c + 1) - v(r, c - 1));
            // Each needs only half of the components; the sum is NaN where any is missing.
            if (std::isfinite(curl + divergence)) use(Slopes{curl, divergence}, r, c);
        }
}

/// Fills in how well the field determines `rotation`, the best one.
void judge(Rotation& rotation, Array<double> const& row, Array<double> const& col);

}  // namespace sluice::stem4d
