// The table of the kernels over plain values by instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/dense/cpu.h"

#include "device/per_isa.h"

namespace sluice::dense {

SLUICE_PER_ISA(CpuKernels, cpu_kernels)

}  // namespace sluice::dense
