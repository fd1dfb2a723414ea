// The table of @Name@ by instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/@name@/cpu.h"

#include "device/per_isa.h"

namespace sluice::@name@ {

SLUICE_PER_ISA(CpuKernels, cpu_kernels)

}  // namespace sluice::@name@
