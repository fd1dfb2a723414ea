// The operators of a march on the fake device, in a build without CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/remote.h"
#include "launch/no_cuda.h"
#include "launch/remote.h"

namespace sluice::proton::marching {

#define SLUICE_MARCH_DEFINE(Type) SLUICE_MAP_REMOTE(Type, launch::no_cuda)
SLUICE_MARCH_KERNELS(SLUICE_MARCH_DEFINE, float)
SLUICE_MARCH_KERNELS(SLUICE_MARCH_DEFINE, double)

}  // namespace sluice::proton::marching
