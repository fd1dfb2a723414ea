// The pixels of a round crop, packed: what lies in the corners of its square is not looked at.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "sluice/view.h"

namespace sluice::crystal {

/// A part of a row of the crop's square, and where it begins in the packed crop.
struct CropSpan {
    index row, col, count, at;
};

/// Spans that hold all pixels that are not 0 in `inside`, which has side x side. Whole eights of
/// floats from where a span begins stay within its row: spans of wide rows begin a little earlier.
std::vector<CropSpan> crop_spans(float const* inside, index side);

/// Pixels of all spans, up to the next multiple of 16.
index pixels_of(std::span<CropSpan const> spans);

/// A square's pixels in the order of the spans; `to` has pixels_of() floats, and keeps those behind
/// the last span.
void pack(std::span<CropSpan const> spans, float const* square, index side, float* to);

}  // namespace sluice::crystal
