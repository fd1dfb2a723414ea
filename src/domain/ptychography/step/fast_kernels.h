// The passes of the fast step over one pattern, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "domain/ptychography/step/residual_step.h"
#include "fft/squares/roots.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// A window of a Planar: its first real part; the imaginary parts of a row are `half` behind, the
/// next row 2 * half.
struct Window {
    float const* first;
    index half;
};

/// Sums over a pattern.
struct PixelSums {
    float amplitude = 0, model = 0, difference = 0, loss = 0;
    std::array<float, parts_of_residual> slopes = {};
};

/// What the pixels of a spectrum are compared with, in the order of the passes.
struct Pixels {
    std::variant<std::uint8_t const*, std::uint16_t const*, float const*> counts;
    float const* valid;  ///< 1, or 0 where a pixel is bad; null: all are valid
    stem4d::Likelihood likelihood;
    bool slopes;      ///< whether they are summed, of Poisson's likelihood
    float count = 1;  ///< the value of one count
};

/// Where the gradients of a mode go. Windows of their own have rows of 2 * side floats.
struct Leaving {
    Window object, probe;
    /// What the modes before gave the object: a window of its own; null: nothing.
    float const* before;
    float* of_object;   ///< the real part of its first pixel
    index object_half;  ///< as in Window
    bool add_object;    ///< to what is there, else in its place
    float* of_probe;    ///< a window of its own
    bool add_probe;
    /// Factors of the wave behind this slice, as of FastKernel::moved; null: 1.
    float const* ramp;
    /// With a ramp: dL/d(row, col) of the pattern's shift is added there; null: nowhere.
    double* descan;
};

/// For squares of one side. A tile is fft::Tile<side>::floats from the begin of a cache line.
struct FastKernel {
    index side, tile_floats;
    /// Probe times object, times the ramp unless it is null, and its rows; the largest |object|^2.
    float (*enter)(fft::Roots const&, float* tile, Window object, Window probe, float const* ramp);
    /// Columns, the residual's weights, columns back.
    PixelSums (*weigh)(fft::Roots const&, float* tile, Pixels const& pixels);
    /// Columns; the spectrum stays in the tile, and its intensity is added to `intensity`, or put
    /// there if it is the first.
    void (*to_detector)(fft::Roots const&, float* tile, bool first, float* intensity);
    /// The weights in place of the intensity of `count` pixels, a multiple of 16.
    PixelSums (*weigh_sum)(float* intensity, index count, Pixels const& pixels);
    /// The spectrum in the tile times the weights, and columns back.
    void (*from_detector)(fft::Roots const&, float* tile, float const* weights);
    /// Rows first to last - 1 back, multiples of 16, and their gradients.
    void (*leave)(fft::Roots const&, float* tile, Leaving const& to, index first, index last);
    /// A window's spectrum in the order of the passes, [pixels re][pixels im].
    void (*spectrum)(fft::Roots const&, float* tile, Window from, float* spectrum);
    /// The way back: times factors[row] * factors[side + column], each [2 side] re, then im.
    void (*moved)(fft::Roots const&, float* tile, float const* spectrum, float const* factors,
                  float* to);
    /// The same factors times a spectrum, added to another.
    void (*add_turned)(float const* spectrum, float const* factors, float* to);
};
struct FastKernels {
    FastKernel of[4];
};

FastKernels const& fast_kernels(Isa isa);

namespace baseline {
FastKernels fast_kernels();
}
namespace avx2 {
FastKernels fast_kernels();
}
namespace avx512 {
FastKernels fast_kernels();
}

}  // namespace sluice::ptycho
