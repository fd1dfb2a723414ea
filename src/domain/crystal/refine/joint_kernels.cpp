// Picks the kernels of the joint fit for an instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/refine/joint_kernels.h"

#include "device/per_isa.h"

namespace sluice::crystal {

SLUICE_PER_ISA(JointKernels, joint_kernels)

}  // namespace sluice::crystal
