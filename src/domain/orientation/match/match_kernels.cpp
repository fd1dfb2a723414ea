// Picks the kernels of the search for an instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/match_kernels.h"

#include "device/per_isa.h"

namespace sluice::orient {

SLUICE_PER_ISA(MatchKernels, match_kernels)

}  // namespace sluice::orient
