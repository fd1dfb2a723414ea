// The picture in which the bright-field disk is looked for: repaired, smoothed, halved.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

struct Image {
    index rows = 0, cols = 0;
    std::vector<double> v = {};
    double grain = 0;  ///< what one count adds to a pixel: the variance of a value v is grain * v

    double at(index r, index c) const { return v[static_cast<std::size_t>(r * cols + c)]; }
    double& at(index r, index c) { return v[static_cast<std::size_t>(r * cols + c)]; }
    bool holds(double row, double col) const {
        return row >= 0 && col >= 0 && row <= static_cast<double>(rows - 1) &&
               col <= static_cast<double>(cols - 1);
    }
};

/// The pattern with bad pixels, and up to three neighbours far above all around them, replaced by
/// the median of what is near. The grain is
/// measured.
Image repaired(Array<double> const& pattern, std::span<std::uint8_t const> bad);

/// Means over squares of 2 * reach + 1 pixels: they do not move the half height of an edge.
Image smoothed(Image const& in, index reach);

/// Means over 2x2 pixels; what is left over at the far edges is averaged over what there is.
Image halved(Image const& in);

/// Between the four nearest pixels; the place must be inside.
double bilinear(Image const& image, double row, double col);

/// The value that `part` (0 to 1) of the values lie below; 0 if there are no values.
double quantile(std::vector<double> values, double part);

}  // namespace sluice::stem4d
