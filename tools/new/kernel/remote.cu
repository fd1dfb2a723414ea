// @Name@ on CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/@name@/remote.h"
#include "launch/map.cuh"
#include "launch/remote.h"

namespace sluice::@name@ {

SLUICE_MAP_REMOTE(@Name@, launch::map_cuda)

}  // namespace sluice::@name@
