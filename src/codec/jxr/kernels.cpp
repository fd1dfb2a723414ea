// Which instruction set's loops are used.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/kernels.h"

#include "device/per_isa.h"

namespace sluice::codec::jxr {

SLUICE_PER_ISA(Kernels, kernels)

}  // namespace sluice::codec::jxr
