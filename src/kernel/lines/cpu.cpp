// The table of the kernels over lines by instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/cpu.h"

#include "device/per_isa.h"

namespace sluice::lines {

SLUICE_PER_ISA(CpuKernels, cpu_kernels)

}  // namespace sluice::lines
