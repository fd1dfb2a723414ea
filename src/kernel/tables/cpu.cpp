// The table of these kernels by instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/tables/cpu.h"

#include "device/per_isa.h"

namespace sluice::tables {

SLUICE_PER_ISA(CpuKernels, cpu_kernels)

}  // namespace sluice::tables
