// The kernels over plain values on the fake device, in a build without CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/dense/remote.h"
#include "launch/no_cuda.h"
#include "launch/remote.h"

namespace sluice::dense {

SLUICE_MAP_REMOTE(VirtualSum, launch::no_cuda)
SLUICE_MAP_REMOTE(Moments, launch::no_cuda)
SLUICE_MAP_REMOTE(PatternStats, launch::no_cuda)
SLUICE_MAP_REMOTE(WeightedSum, launch::no_cuda)

}  // namespace sluice::dense
