// Shape: what a linear layer makes of which rows, whoever computes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "nn/map.h"

namespace sluice::nn {

/// No layer has a bias. Weights are as PyTorch has them.
enum class Kind : std::uint8_t {
    pointwise,    ///< 1x1 convolution; weights [out][in]
    square,       ///< 3x3 convolution, zeros around; weights [out][in][3][3]
    shrink,       ///< convolution of size and step `scale`; weights [out][in][scale0][scale1]
    grow,         ///< its transpose; weights [in][out][scale0][scale1]
    along_width,  ///< every row and channel alike; weights [width_out][width_in]
};

/// Of all rows, or of a strip of them.
struct Shape {
    Kind kind = Kind::pointwise;
    index rows = 1;  ///< the fewer of those that come in and go out
    index width = 0;
    index in = 0, out = 0;                ///< channels
    std::array<index, 2> scale = {1, 1};  ///< of shrink and grow: rows and columns
    index across = 0;                     ///< width that along_width makes

    index rows_in() const { return kind == Kind::shrink ? rows * scale[0] : rows; }
    index rows_out() const { return kind == Kind::grow ? rows * scale[0] : rows; }
    index width_out() const {
        switch (kind) {
            case Kind::shrink:
                return width / scale[1];
            case Kind::grow:
                return width * scale[1];
            case Kind::along_width:
                return across;
            default:
                return width;
        }
    }
    /// Rows that are read above and below the strip.
    index halo() const { return kind == Kind::square ? 1 : 0; }
    /// How many numbers the weights are.
    index weights() const {
        if (kind == Kind::along_width) return width * across;
        return in * out * (kind == Kind::square ? 9 : scale[0] * scale[1]);
    }
    double macs() const {
        double const pixels = static_cast<double>(rows_out()) * static_cast<double>(width_out());
        double const each = kind == Kind::along_width ? static_cast<double>(width)
                            : kind == Kind::square    ? 9.0 * static_cast<double>(in)
                                                      : static_cast<double>(in);
        double const reads = kind == Kind::shrink ? static_cast<double>(scale[0] * scale[1]) : 1;
        return pixels * static_cast<double>(out) * each * reads;
    }
};

}  // namespace sluice::nn
