// The operators of a march on CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/remote.h"
#include "launch/map.cuh"
#include "launch/remote.h"

namespace sluice::proton::marching {

#define SLUICE_MARCH_DEFINE(Type) SLUICE_MAP_REMOTE(Type, launch::map_cuda)
SLUICE_MARCH_KERNELS(SLUICE_MARCH_DEFINE, float)
SLUICE_MARCH_KERNELS(SLUICE_MARCH_DEFINE, double)

}  // namespace sluice::proton::marching
