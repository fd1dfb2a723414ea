// The instruction set of the dense kernels.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/dense/kernels.h"

#include "device/per_isa.h"

namespace sluice::proton::dense {

SLUICE_PER_ISA(Kernels<float>, dense_f32)
SLUICE_PER_ISA(Kernels<double>, dense_f64)

}  // namespace sluice::proton::dense
