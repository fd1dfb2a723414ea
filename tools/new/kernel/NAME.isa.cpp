// @Name@ for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/@name@/cpu.h"

namespace sluice::@name@::SLUICE_ISA {
namespace {

void run(@Name@ const& kernel, index first, index last) {
    for (index i = first; i < last; ++i) kernel(i);
}

}  // namespace

CpuKernels cpu_kernels() { return {run}; }

}  // namespace sluice::@name@::SLUICE_ISA
