// The kernels over bit planes for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/kernels.h"
#include "launch/kernels.h"

namespace sluice {

SLUICE_KERNEL(planes::VirtualSum)
SLUICE_KERNEL(planes::Moments)
SLUICE_KERNEL(planes::PatternStats)
SLUICE_KERNEL(planes::WeightedSum)

}  // namespace sluice
