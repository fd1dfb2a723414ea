// The kernels over bit planes on CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/remote.h"
#include "launch/map.cuh"
#include "launch/remote.h"

namespace sluice::planes {

SLUICE_MAP_REMOTE(VirtualSum, launch::map_cuda)
SLUICE_MAP_REMOTE(Moments, launch::map_cuda)
SLUICE_MAP_REMOTE(PatternStats, launch::map_cuda)
SLUICE_MAP_REMOTE(WeightedSum, launch::map_cuda)

}  // namespace sluice::planes
