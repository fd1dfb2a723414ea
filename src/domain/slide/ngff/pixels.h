// The loops over pixels of a conversion: halving, and cutting chunks out of bands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"
#include "zarr/array.h"

namespace sluice::slide::ome {

/// Interleaved pixels: [height][width][samples].
struct PixelRows {
    std::byte* data = nullptr;
    index width = 0, height = 0, samples = 1;
};

/// Row `y` of the level below: each pixel is the mean of the 2 x 2 above it, or of those of them
/// that there are. Integers are rounded to the nearest, halves up.
void halve_row(DType type, PixelRows const& from, index y, std::byte* to);

/// Fills all of it.
void paint(DType type, PixelRows const& rows, double fill);

/// The smallest and largest value seen; first > second: no value was seen.
struct Range {
    double low = 1, high = 0;
    void add(Range const& other);
};

/// Copies one sample of a rectangle, and fills the rest of a chunk of chunk_width x chunk_height.
/// Returns the range of the copied values, without NaN.
Range cut(DType type, PixelRows const& from, index x, index y, index sample, double fill,
          index chunk_width, index chunk_height, std::byte* chunk);

}  // namespace sluice::slide::ome
