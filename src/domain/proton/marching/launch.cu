// The operators of a march for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/gather_slow.h"
#include "launch/kernels.h"

namespace sluice {

#define SLUICE_KERNELS(Real)                         \
    SLUICE_KERNEL(proton::marching::AddUp<Real>)     \
    SLUICE_KERNEL(proton::marching::Clear<Real>)     \
    SLUICE_KERNEL(proton::marching::GiveUp<Real>)    \
    SLUICE_KERNEL(proton::marching::Scatter<Real>)   \
    SLUICE_KERNEL(proton::marching::AddLeaks<Real>)  \
    SLUICE_KERNEL(proton::marching::Drift<Real>)     \
    SLUICE_KERNEL(proton::marching::DriftOut<Real>)  \
    SLUICE_KERNEL(proton::marching::AddSides<Real>)  \
    SLUICE_KERNEL(proton::marching::Settle<Real>)    \
    SLUICE_KERNEL(proton::marching::SlowDown<Real>)  \
    SLUICE_KERNEL(proton::marching::AddChunks<Real>) \
    SLUICE_KERNEL(proton::marching::Collect<Real>)   \
    SLUICE_KERNEL(proton::marching::MoveBackOut<Real>)

SLUICE_KERNELS(float)
SLUICE_KERNELS(double)

}  // namespace sluice
