// The instruction set that exchanges blue and red.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/swap.h"

#include "device/per_isa.h"

namespace sluice::slide {

SLUICE_PER_ISA(Swap, swap)

}  // namespace sluice::slide
