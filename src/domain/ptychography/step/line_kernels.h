// The passes of a loss along a line, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/step/fast_kernels.h"

namespace sluice::ptycho {

/// Intensities along a line are powers[0] + powers[1] t + powers[2] t^2, in the order of the passes
/// and of transforms that were not scaled.
struct LineSums {
    double slope = 0, curvature = 0;
};

/// For squares of one side.
struct LineKernel {
    index side;
    /// Probe times object and another probe times another object, added; times the ramp unless it
    /// is null; rows.
    void (*enter_two)(fft::Roots const&, float* tile, Window const (&objects)[2],
                      Window const (&probes)[2], float const* ramp);
    /// Rows back into a window of its own.
    void (*leave)(fft::Roots const&, float* tile, float* window);
    /// Columns of the third tile, where those of the first two hold spectra: what is linear in t,
    /// and the third's part of what is quadratic, to `linear` (put there if it is the first mode)
    /// and `quadratic` (added).
    void (*meet)(fft::Roots const&, float* const (&tiles)[3], bool first, float* linear,
                 float* quadratic);
    LineSums (*sum)(float const* const (&powers)[3], Pixels const& pixels);
};
struct LineKernels {
    LineKernel of[4];
};

LineKernels const& line_kernels(Isa isa);

namespace baseline {
LineKernels line_kernels();
}
namespace avx2 {
LineKernels line_kernels();
}
namespace avx512 {
LineKernels line_kernels();
}

}  // namespace sluice::ptycho
