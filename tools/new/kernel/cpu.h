// @Name@ for this processor: the same functor, built per instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "kernel/@name@/kernels.h"

namespace sluice::@name@ {

struct CpuKernels {
    /// Does the elements [first, last).
    void (*run)(@Name@ const&, index first, index last);
};

CpuKernels const& cpu_kernels(Isa isa);

namespace baseline {
CpuKernels cpu_kernels();
}
namespace avx2 {
CpuKernels cpu_kernels();
}
namespace avx512 {
CpuKernels cpu_kernels();
}

}  // namespace sluice::@name@
