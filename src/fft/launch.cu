// The steps of a transform for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "fft/kernels.h"
#include "launch/kernels.h"

namespace sluice {

#define SLUICE_KERNELS(Real)              \
    SLUICE_KERNEL(fft::PassOnAll<Real>)   \
    SLUICE_KERNEL(fft::Spread<Real>)      \
    SLUICE_KERNEL(fft::Convolve<Real>)    \
    SLUICE_KERNEL(fft::Collect<Real>)     \
    SLUICE_KERNEL(fft::Load<Real>)        \
    SLUICE_KERNEL(fft::Store<Real>)       \
    SLUICE_KERNEL(fft::LoadSamples<Real>) \
    SLUICE_KERNEL(fft::StoreHalf<Real>)   \
    SLUICE_KERNEL(fft::LoadHalf<Real>)    \
    SLUICE_KERNEL(fft::StoreSamples<Real>)

SLUICE_KERNELS(float)
SLUICE_KERNELS(double)

}  // namespace sluice
