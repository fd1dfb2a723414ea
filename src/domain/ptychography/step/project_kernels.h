// The passes of a projection over one pattern, for each instruction set; the others are those of
// the fast step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/step/fast_kernels.h"

namespace sluice::ptycho {

/// A projection as sums of what a pattern has: its stored wave, its view (probe times object) and,
/// in an update, the gradient.
struct Mixture {
    float wave = 0, view = 0, gradient = 0;
};

/// For squares of one side. Waves are windows of their own, with rows of 2 * side floats.
struct ProjectKernel {
    index side;
    /// A mixture of wave and view, and its rows.
    void (*mix)(fft::Roots const&, float* tile, Window object, Window probe, float const* wave,
                Mixture const& by);
    /// Columns, and what the spectrum's intensity is apart from the counts; the tile is used up.
    /// Meanwhile the wave that is mixed next comes from memory.
    PixelSums (*compare)(fft::Roots const&, float* tile, Pixels const& pixels, float const* next);
    /// Rows back, which gives the gradient; the mixture of the three becomes the wave.
    void (*update)(fft::Roots const&, float* tile, Window object, Window probe, float* wave,
                   Mixture const& by);
};
struct ProjectKernels {
    ProjectKernel of[4];
};

ProjectKernels const& project_kernels(Isa isa);

namespace baseline {
ProjectKernels project_kernels();
}
namespace avx2 {
ProjectKernels project_kernels();
}
namespace avx512 {
ProjectKernels project_kernels();
}

}  // namespace sluice::ptycho
