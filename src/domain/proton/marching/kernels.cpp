// The instruction set of the kernels.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/kernels.h"

#include "device/per_isa.h"

namespace sluice::proton::marching {

SLUICE_PER_ISA(Kernels<float>, kernels_f32)
SLUICE_PER_ISA(Kernels<double>, kernels_f64)

}  // namespace sluice::proton::marching
