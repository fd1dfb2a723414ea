// The operators of a dense step for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/dense/gather.h"
#include "launch/kernels.h"

namespace sluice {

#define SLUICE_KERNELS(Real)                        \
    SLUICE_KERNEL(proton::dense::ScatterOnce<Real>) \
    SLUICE_KERNEL(proton::dense::Copy<Real>)        \
    SLUICE_KERNEL(proton::dense::Fly<Real>)         \
    SLUICE_KERNEL(proton::dense::SlowDown<Real>)    \
    SLUICE_KERNEL(proton::dense::Deposit<Real>)     \
    SLUICE_KERNEL(proton::dense::Account<Real>)     \
    SLUICE_KERNEL(proton::dense::LeaveAhead<Real>)  \
    SLUICE_KERNEL(proton::dense::Trim<Real>)

SLUICE_KERNELS(float)
SLUICE_KERNELS(double)

}  // namespace sluice
