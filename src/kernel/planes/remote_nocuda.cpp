// The kernels over bit planes on the fake device, in a build without CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/remote.h"
#include "launch/no_cuda.h"
#include "launch/remote.h"

namespace sluice::planes {

SLUICE_MAP_REMOTE(VirtualSum, launch::no_cuda)
SLUICE_MAP_REMOTE(Moments, launch::no_cuda)
SLUICE_MAP_REMOTE(PatternStats, launch::no_cuda)
SLUICE_MAP_REMOTE(WeightedSum, launch::no_cuda)

}  // namespace sluice::planes
