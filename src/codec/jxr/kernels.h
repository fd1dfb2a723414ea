// The loops of the JPEG XR decoder that are compiled for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/macroblock.h"
#include "device/isa.h"

namespace sluice::codec::jxr {

/// Rows of blocks of one colour: block (row, column) has place p at
/// at[(16 * row + p) * stride + column].
struct Blocks {
    std::int32_t* at = nullptr;
    index stride = 0;
};

/// The high-pass coefficients of one macroblock.
struct HighPass {
    Context* context;
    Color color;
    Macroblock const* mb;
    std::int32_t quantiser[3];
    Blocks out[3];  ///< beginning with the macroblock's first block; zeros before
    bool skip_low_bits;
};

/// Sixteen rows of numbers, by row and column in blocks of 4 x 4.
struct Rows16 {
    std::int32_t* at[16];
};

/// What samples are made of: one macroblock row's worth of a row of samples, by column in a block.
struct Columns {
    std::int32_t const* at[4];
};

/// How coefficients become samples.
struct Conversion {
    int depth;          ///< Depth
    int channels;       ///< 1 or 3 in
    int samples;        ///< 1, 3 or 4 out
    bool rgb;           ///< the order that is written
    std::int32_t bias;  ///< added first
    int down, up;       ///< bits to shift, after the bias
    int exponent_bias;  ///< of floats, whose mantissa has `up` bits
    std::int32_t alpha_bias;
    int alpha_down, alpha_up, alpha_exponent_bias;
};

/// One number of each block, or of each macroblock, is worked on at a time.
struct Kernels {
    void (*read_dc)(Context& context, Bits& bits, Color color, Macroblock& mb);
    void (*read_low)(Context& context, Bits& bits, Color color, Position const& at, Macroblock& mb);
    void (*read_pattern)(Context& context, Bits& bits, Color color, Macroblock& mb);
    /// Reads coefficients and predicts them; `low` may be the same as `bits`.
    void (*read_high)(HighPass const& job, Bits& bits, Bits& low);
    /// The inverse transform of n blocks.
    void (*transform)(Blocks row, index n);
    /// The inverse transform of the low-pass coefficients of n macroblocks, whose block (row,
    /// column) is in row 4 * column + row.
    void (*transform_low)(Blocks row, index n, bool doubled);
    /// The filter between two rows of blocks, for blocks [begin, end) of a tile. `low` chooses the
    /// slightly different filter of low-pass coefficients.
    void (*filter_between)(Rows16 const& upper, Rows16 const& lower, index begin, index end,
                           bool low);
    /// The filter along the upper or the lower edge of a row of blocks; first_row is 0 or 2.
    void (*filter_edge)(Rows16 const& rows, int first_row, index begin, index end);
    /// Writes 4 * n pixels; `n` a multiple of 8.
    void (*write)(Conversion const& how, Columns const* in, index n, std::byte* out);
};

Kernels const& kernels(Isa isa);

namespace baseline {
Kernels kernels();
}
namespace avx2 {
Kernels kernels();
}
namespace avx512 {
Kernels kernels();
}

}  // namespace sluice::codec::jxr
