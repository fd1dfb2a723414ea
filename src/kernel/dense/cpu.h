// The kernels over plain values for this processor: the same functors, built per instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "kernel/dense/kernels.h"

namespace sluice::dense {

/// Each does the elements [first, last) of its kernel.
struct CpuKernels {
    void (*virtual_sum)(VirtualSum const&, index first, index last);
    void (*moments)(Moments const&, index first, index last);
    void (*weighted_sum)(WeightedSum const&, index first, index last);
    void (*pattern_stats)(PatternStats const&, index first, index last);
};

CpuKernels const& cpu_kernels(Isa isa);
/// Those of a device's instruction set, or the reference's.
CpuKernels const& kernels_for(Device const& device);

namespace baseline {
CpuKernels cpu_kernels();
}
namespace avx2 {
CpuKernels cpu_kernels();
}
namespace avx512 {
CpuKernels cpu_kernels();
}

}  // namespace sluice::dense
