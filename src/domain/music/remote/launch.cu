// The functors of sub-bands for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/remote/kernels.h"
#include "launch/kernels.h"

namespace sluice {

SLUICE_KERNEL(music::PackSound)
SLUICE_KERNEL(music::UnpackSound)

}  // namespace sluice
