// JPEG XR files by Debian's libjxr: what the tests compare this project's decoder with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sluice/view.h"

namespace sluice::jxrlib {

/// What a pixel is in memory; samples stand side by side and rows are tight.
enum class Pixels {
    gray8,
    gray16,
    gray_half,
    gray_float,
    bgr24,
    rgb24,
    bgr32,  ///< with a byte of padding
    rgb48,
    rgb_half48,
    rgb_float96,
    rgb_float128,  ///< with a float of padding
    bgra32,
    rgba32,
    rgba64,
    rgba_float128,
    cmyk32,  ///< for what a reader refuses
};

index bytes_per_pixel(Pixels pixels);

enum class Chroma { as_quality_says, full, half_width, quarter, none };

/// How a file is written; the defaults are those of JxrEncApp.
struct Settings {
    double quality = 1.0;  ///< 1 = lossless, above 1 a quantiser, below 1 as JxrEncApp -q
    int overlap = -1;      ///< 0, 1 or 2; -1 = as the quality says
    Chroma chroma = Chroma::as_quality_says;
    bool frequency = true;
    bool progressive = true;
    int tiles_across = 1;
    int tiles_down = 1;
    bool hard_tiles = false;  ///< no overlap filter across tiles
    int trim_flexbits = 0;    ///< 0 .. 15
    int subband = 0;          ///< 0 all, 1 no flexbits, 2 no highpass, 3 DC only
    int alpha_quantiser = 1;  ///< 1 = lossless
    bool unscaled = false;    ///< unscaled arithmetic although the image is lossy
    bool interleaved_alpha = false;
    int float_mantissa_bits = 0;  ///< 0 = the default of libjxr (13)
};

/// A JPEG XR file of width x height pixels; nothing where libjxr refuses.
std::optional<std::vector<std::byte>> encode(Bytes pixels, index width, index height, Pixels as,
                                             Settings const& settings = {});

/// The pixels of a file at 1/reduction (1, 2, 4, 8, 16) of its size, as its container says they
/// are; nothing where libjxr refuses. Only for files that are sound: libjxr crashes on others.
std::optional<std::vector<std::byte>> decode(Bytes file, index reduction = 1);

}  // namespace sluice::jxrlib
