// @Name@ on the fake device, in a build without CUDA.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/@name@/remote.h"
#include "launch/no_cuda.h"
#include "launch/remote.h"

namespace sluice::@name@ {

SLUICE_MAP_REMOTE(@Name@, launch::no_cuda)

}  // namespace sluice::@name@
