// The operators of a dense step on CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/dense/remote.h"
#include "launch/map.cuh"
#include "launch/remote.h"

namespace sluice::proton::dense {

#define SLUICE_DENSE_DEFINE(Type) SLUICE_MAP_REMOTE(Type, launch::map_cuda)
SLUICE_DENSE_KERNELS(SLUICE_DENSE_DEFINE, float)
SLUICE_DENSE_KERNELS(SLUICE_DENSE_DEFINE, double)

}  // namespace sluice::proton::dense
