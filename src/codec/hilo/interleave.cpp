// The instruction set that puts low and high bytes together.
// SPDX-License-Identifier: Apache-2.0
#include "codec/hilo/interleave.h"

#include "device/per_isa.h"

namespace sluice::codec {

SLUICE_PER_ISA(Interleave, interleave)

}  // namespace sluice::codec
