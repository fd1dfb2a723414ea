// The length of a vector of detector pixels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace sluice::crystal {

/// std::hypot without its care for numbers near the ends of the range, which takes longer than what
/// is done with the length.
inline double away(double row, double col) {
    return std::sqrt(row * row + col * col);
}

}  // namespace sluice::crystal
