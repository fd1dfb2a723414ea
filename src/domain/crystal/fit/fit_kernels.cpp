// Picks the kernels of the fit for an instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/fit_kernels.h"

#include "device/per_isa.h"

namespace sluice::crystal {

SLUICE_PER_ISA(FitKernels, fit_kernels)

}  // namespace sluice::crystal
