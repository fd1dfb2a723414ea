// The table of the kernels over bit planes by instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/cpu.h"

#include "device/per_isa.h"
#include "kernel/planes/make_tile.h"

namespace sluice::planes {

SLUICE_PER_ISA(CpuKernels, cpu_kernels)
SLUICE_PER_ISA(TileMaking, tile_making)

}  // namespace sluice::planes
