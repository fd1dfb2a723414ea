// The transforms of one square of complex numbers, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "fft/squares/roots.h"

namespace sluice::fft {

/// For one side; squares are row by row, re and im by turns, and are transformed in place. `tile`
/// is scratch: Tile<side>::floats from the begin of a cache line.
struct SquareKernel {
    index side, tile_floats;
    void (*forward)(Roots const& roots, float* tile, float* square);
    void (*inverse)(Roots const& roots, float* tile, float* square);
    /// Forward, times the factors, inverse.
    void (*filter)(Roots const& roots, float* tile, float* square, float const* factors);
};
/// In the order of square_sides.
struct SquareKernels {
    SquareKernel of[4];
};

SquareKernels const& square_kernels(Isa isa);

namespace baseline {
SquareKernels square_kernels();
}
namespace avx2 {
SquareKernels square_kernels();
}
namespace avx512 {
SquareKernels square_kernels();
}

}  // namespace sluice::fft
