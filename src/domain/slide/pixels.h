// Pixels of a decoded tile as they lie in memory, and copying rectangles of them to an image.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/slide.h"

namespace sluice::slide {

/// Where the pixels are. Beyond width x height, by which a pyramid's tile may be one smaller than
/// it says, the last row and column go on.
struct Pixels {
    Bytes bytes;
    index width = 0, height = 0;             ///< pixels that exist
    index pixel_stride = 0, row_stride = 0;  ///< bytes
    index first = 0;                         ///< byte of the first pixel
    bool bgr = false;                        ///< B, G, R (, A) and not R, G, B (, A)
    bool hi_lo = false;                      ///< low bytes first, then high bytes; then dense
    PixelFormat format;
    bool dense() const { return pixel_stride == format.bytes; }
};

/// Copies a rectangle, beyond whose pixels the last row and column go on, and puts colours into the
/// order R, G, B. Rows of `to` are `to_stride` bytes apart; an image larger than the caches is
/// written past them.
void copy_rect(Pixels const& from, Rect const& rect, std::byte* to, index to_stride,
               bool past_caches = false);

/// The same for one row of `width` pixels from (x, y) on.
void copy_row(Pixels const& from, index x, index y, index width, std::byte* to);

/// Whether an element can hold the value exactly: without clipping, and without rounding to an
/// integer.
bool can_be(DType sample, double value);
/// Why the value of an option is refused.
Error cannot_be(DType sample, double value, std::string_view option);
/// The background, and the fill value of bad tiles.
Status check_fills(DType sample, ReadOptions const& options);

/// Writes `value` as pixels of `format` into a row.
void fill_row(PixelFormat const& format, double value, index width, std::byte* to);

}  // namespace sluice::slide
