// The kernels over plain values for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "kernel/dense/cpu.h"
#include "launch/kernels.h"

namespace sluice {

SLUICE_KERNEL_PER_ISA(dense::VirtualSum, dense::cpu_kernels, virtual_sum)
SLUICE_KERNEL_PER_ISA(dense::Moments, dense::cpu_kernels, moments)
SLUICE_KERNEL_PER_ISA(dense::PatternStats, dense::cpu_kernels, pattern_stats)
SLUICE_KERNEL_PER_ISA(dense::WeightedSum, dense::cpu_kernels, weighted_sum)

}  // namespace sluice
