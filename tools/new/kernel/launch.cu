// @Name@ for launch::map().
// SPDX-License-Identifier: Apache-2.0
#include "kernel/@name@/cpu.h"
#include "launch/kernels.h"

namespace sluice {

SLUICE_KERNEL_PER_ISA(@name@::@Name@, @name@::cpu_kernels, run)

}  // namespace sluice
