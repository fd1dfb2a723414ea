// The operators of a dense step on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/remote.h"
#include "domain/proton/dense/gather.h"

/// Calls X(Kernel) for all of them.
#define SLUICE_DENSE_KERNELS(X, Real) \
    X(ScatterOnce<Real>)              \
    X(Copy<Real>)                     \
    X(Fly<Real>)                      \
    X(SlowDown<Real>)                 \
    X(Deposit<Real>)                  \
    X(Account<Real>)                  \
    X(LeaveAhead<Real>)               \
    X(Trim<Real>)

namespace sluice::proton::dense {

/// Gives n elements of the kernel to the device; done after device.wait().
#define SLUICE_DENSE_DECLARE(Type) \
    Status map_remote(RemoteDevice& device, index n, Type const& kernel);
SLUICE_DENSE_KERNELS(SLUICE_DENSE_DECLARE, float)
SLUICE_DENSE_KERNELS(SLUICE_DENSE_DECLARE, double)
#undef SLUICE_DENSE_DECLARE

}  // namespace sluice::proton::dense
