// The colours and sizes that all figures share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "figure/text.h"

namespace sluice::figure {

constexpr Rgb background{22, 24, 29}, edge{74, 80, 90}, bright_text{232, 235, 240},
    plain_text{186, 192, 202};

/// The height of a capital that suits an image of this size, in pixels.
inline double cap_for(index rows, index cols) {
    double const side = static_cast<double>(std::max(rows, cols));
    return std::clamp(std::round(side / 60), 12.0, 32.0);
}

inline Pen title_pen(double cap) {
    return {std::round(1.2 * cap), bright_text};
}
inline Pen label_pen(double cap) {
    return {cap, plain_text};
}

}  // namespace sluice::figure
