// The processor's kernels over plain values once more, by the functors in order.
// SPDX-License-Identifier: Apache-2.0
#include "device/per_isa.h"
#include "kernel/dense/cpu.h"

namespace sluice::dense {
namespace {

template <class K>
void one_by_one(K const& kernel, index first, index last) {
    for (index i = first; i < last; ++i) kernel(i);
}

constexpr CpuKernels reference{one_by_one<VirtualSum>, one_by_one<Moments>, one_by_one<WeightedSum>,
                               one_by_one<PatternStats>};

}  // namespace

CpuKernels const& kernels_for(Device const& device) {
    return table_for(device, reference, cpu_kernels);
}

}  // namespace sluice::dense
