// The kernels over plain values on CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/dense/remote.h"
#include "launch/map.cuh"
#include "launch/remote.h"

namespace sluice::dense {

SLUICE_MAP_REMOTE(VirtualSum, launch::map_cuda)
SLUICE_MAP_REMOTE(Moments, launch::map_cuda)
SLUICE_MAP_REMOTE(PatternStats, launch::map_cuda)
SLUICE_MAP_REMOTE(WeightedSum, launch::map_cuda)

}  // namespace sluice::dense
