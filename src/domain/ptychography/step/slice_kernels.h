// The passes between the slices of a thick object, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/step/fast_kernels.h"
#include "domain/ptychography/step/rate_sums.h"

namespace sluice::ptycho {

/// For squares of one side. Propagators and spectra lie as fft::Spot::pair() says.
struct SliceKernel {
    index side;
    /// Columns, times the propagator, columns back. The spectrum before goes to `exit`, unless it
    /// is null.
    void (*propagate)(fft::Roots const&, float* tile, float const* propagator, float* exit);
    /// Rows back: what enters a slice goes to `entry`, a window of its own; times the slice, times
    /// the ramp unless it is null, rows. The largest |object|^2.
    float (*next)(fft::Roots const&, float* tile, Window object, float* entry, float const* ramp);
    /// As FastKernel::leave, where `probe` is what entered; the gradient goes on in the tile.
    void (*leave)(fft::Roots const&, float* tile, Leaving const& to, index first, index last);
    /// propagate() by the conjugated propagator.
    void (*propagate_back)(fft::Roots const&, float* tile, float const* propagator);
    /// The same, with sums over the rates [3][pixels], which lie in the order of the passes. Powers
    /// are those of spectra that are not scaled.
    RateSums (*propagate_back_and_sum)(fft::Roots const&, float* tile, float const* propagator,
                                       float const* exit, float const* rates);
};
struct SliceKernels {
    SliceKernel of[4];
};

SliceKernels const& slice_kernels(Isa isa);

namespace baseline {
SliceKernels slice_kernels();
}
namespace avx2 {
SliceKernels slice_kernels();
}
namespace avx512 {
SliceKernels slice_kernels();
}

}  // namespace sluice::ptycho
