// Roots of unity for the transforms of squares: tables in the order in which the passes read them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sluice/view.h"

namespace sluice::fft {

/// The sides of squares that there are passes for.
inline constexpr index square_sides[] = {64, 128, 192, 256};

/// A transform of n numbers x_j at the points z w^k, w = exp(-2 pi i / n), takes so many floats
/// that follow from z (n is 4, 8, 12 or 16). A root cos - i sin is kept as cos and tan, as cos (1 -
/// i tan): its product with a number is two fused operations, and cos is a factor of the next ones.
[[gnu::always_inline]] inline constexpr index root_floats(index n) {
    return n == 12 ? 18 : n;
}

/// Tables for squares of N by N, N = 16 m; made in double precision.
struct Roots {
    /// z = w_N^k: 16 numbers of a row's k-th remainder. [sets][root_floats(16)][16], whose last
    /// index goes on through the remainders 0 ... m - 1, again and again.
    float const* rows_forward;
    /// z = w_N^c: m numbers; [root_floats(m)][16], whose last index is c.
    float const* rows_inverse;
    /// The same for columns, one after the other: [16][root_floats(m)] and [m][root_floats(16)].
    float const *columns_forward, *columns_inverse;
};

/// For one of `square_sides`; made once and kept.
Roots const& roots_of_square(index side);

}  // namespace sluice::fft
