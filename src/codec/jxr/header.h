// The header of a JPEG XR image and those of its planes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "codec/jxr/bits.h"
#include "sluice/result.h"

namespace sluice::codec::jxr {

/// How the colours of a plane are stored; the numbers are those of the file.
enum class Color : std::uint8_t { gray = 0, yuv420 = 1, yuv422 = 2, yuv444 = 3 };

/// The samples of the image; the numbers are those of the file.
enum class Depth : std::uint8_t { bit8 = 1, bit16 = 2, half = 4, float32 = 7 };

/// How a band's quantisers are found.
struct Quantisers {
    bool per_tile = false;
    std::uint8_t index[3] = {};  ///< of Y, U and V, where they hold for the whole plane
};

struct PlaneHeader {
    Color color = Color::gray;
    bool scaled = false;  ///< coefficients have three more bits than samples
    int bands = 4;        ///< 1 DC, 2 and low-pass, 3 and high-pass, 4 and its lowest bits
    int shift = 0;        ///< of 16-bit samples, or the mantissa's bits of floats
    int exponent_bias = 0;
    Quantisers dc, low, high;
    bool low_as_dc = false, high_as_low = false;  ///< for quantisers of the whole plane

    int channels() const { return color == Color::gray ? 1 : 3; }
};

struct Header {
    index width = 0, height = 0;                     ///< of the image, in pixels
    index top = 0, left = 0, bottom = 0, right = 0;  ///< pixels coded around it
    index blocks_across = 0, blocks_down = 0;        ///< macroblocks
    bool frequency = false;                          ///< bands in packets of their own
    bool hard_tiles = false;                         ///< filters end at tiles
    bool has_index = false, trims_flexbits = false, alpha = false;
    int overlap = 0;  ///< 0 none, 1 after the second, 2 after both stages of the transform
    int source_color = 0;
    int depth = 0;
    std::vector<index> tiles_x, tiles_y;  ///< first macroblock of each, and the end after the last
    PlaneHeader plane;
    PlaneHeader alpha_plane;
    std::byte const* end = nullptr;  ///< where the index table begins
};

/// Reads the headers of the codestream that begins at `codestream`.
Result<Header> read_header(Bytes codestream);

/// The first bytes of the packets by tile and band; `header.end` must lie in `codestream`.
Result<std::vector<index>> read_index(Bytes codestream, Header const& header);

}  // namespace sluice::codec::jxr
