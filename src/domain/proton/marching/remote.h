// The operators of a march on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/remote.h"
#include "domain/proton/marching/gather_slow.h"

/// Calls X(Kernel) for all of them.
#define SLUICE_MARCH_KERNELS(X, Real) \
    X(AddUp<Real>)                    \
    X(Clear<Real>)                    \
    X(GiveUp<Real>)                   \
    X(Scatter<Real>)                  \
    X(AddLeaks<Real>)                 \
    X(Drift<Real>)                    \
    X(DriftOut<Real>)                 \
    X(AddSides<Real>)                 \
    X(Settle<Real>)                   \
    X(Collide<Real>)                  \
    X(SlowDown<Real>)                 \
    X(AddChunks<Real>)                \
    X(Collect<Real>)                  \
    X(MoveBackOut<Real>)

namespace sluice::proton::marching {

/// Gives n elements of the kernel to the device; done after device.wait().
#define SLUICE_MARCH_DECLARE(Type) \
    Status map_remote(RemoteDevice& device, index n, Type const& kernel);
SLUICE_MARCH_KERNELS(SLUICE_MARCH_DECLARE, float)
SLUICE_MARCH_KERNELS(SLUICE_MARCH_DECLARE, double)
#undef SLUICE_MARCH_DECLARE

}  // namespace sluice::proton::marching
