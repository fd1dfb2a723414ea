// Picks the kernels of detection for an instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/detect_kernels.h"

#include "device/per_isa.h"

namespace sluice::crystal {

SLUICE_PER_ISA(DetectKernels, detect_kernels)

}  // namespace sluice::crystal
