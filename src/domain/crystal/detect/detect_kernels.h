// What is done to whole patterns before disks are fitted, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "device/isa.h"
#include "fft/squares/roots.h"

namespace sluice::crystal {

/// Two real squares times the spectrum of a kernel, in one transform. `factors` are in the order of
/// the passes, 16 re and then 16 im (fft::Spot::pair()). `tile` is scratch of tile_floats.
struct SquareCorrelation {
    index side, tile_floats;
    void (*two)(fft::Roots const& roots, float* tile, float const* a, float const* b,
                float const* factors, float* out_a, float* out_b);
};

/// Values [row][col] in rows of `pitch`; 16 values more may be read behind the last one.
struct Field {
    float const* values;
    index pitch, rows, cols;
};

/// A maximum: above its eight neighbours, of which those that come before it must be lower.
struct Peak {
    float value;
    std::int32_t row, col;
};

/// What a row of values has in it.
struct RowFacts {
    float most = 0;    ///< the largest size of a value times its weight; not of odd ones
    bool odd = false;  ///< some value is not finite, or beyond the limit
};

/// Rows of `count` values of some type to floats.
template <class T>
using ReadRow = RowFacts (*)(T const* from, float const* weights, index count, float limit,
                             float* to);

struct DetectKernels {
    std::tuple<ReadRow<std::uint8_t>, ReadRow<std::uint16_t>, ReadRow<std::uint32_t>,
               ReadRow<float>, ReadRow<double>>
        read_row;
    SquareCorrelation squares[4];  ///< in the order of fft::square_sides
    /// The maxima above `floor` that are not in the first or last row or column, row by row; there
    /// is room for a quarter as many as values.
    index (*peaks)(Field field, float floor, Peak* out);
    /// Sums of 2 x 2 values; rows and cols are those of `to`.
    void (*halve)(float const* from, index from_pitch, float* to, index to_pitch, index rows,
                  index cols);
};

DetectKernels const& detect_kernels(Isa isa);

namespace baseline {
DetectKernels detect_kernels();
}
namespace avx2 {
DetectKernels detect_kernels();
}
namespace avx512 {
DetectKernels detect_kernels();
}

}  // namespace sluice::crystal
