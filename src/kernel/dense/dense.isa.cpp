// The kernels over plain values, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/dense/cpu.h"

namespace sluice::dense::SLUICE_ISA {
namespace {

template <class K>
void run(K const& kernel, index first, index last) {
    for (index i = first; i < last; ++i) kernel(i);
}

// Frames outside, pixels inside, so that memory is read in its own order.
template <class T>
void stats_of(PatternStats const& k, index first, index last) {
    for (index i = first; i < last; ++i) k.out[i] = {};
    for (index f = 0; f < k.set.frames; ++f) {
        if (!k.take[f]) continue;
        T const* const values = static_cast<T const*>(k.set.data) + f * k.set.pixels();
        for (index i = first; i < last; ++i) {
            if (is_measured(values[i]))
                k.out[i].add(static_cast<double>(values[i]));
            else
                ++k.out[i].lacks;
        }
    }
}

void pattern_stats(PatternStats const& k, index first, index last) {
    switch (k.set.dtype) {
        case DType::u8:
            return stats_of<std::uint8_t>(k, first, last);
        case DType::u16:
            return stats_of<std::uint16_t>(k, first, last);
        case DType::u32:
            return stats_of<std::uint32_t>(k, first, last);
        default:
            return stats_of<float>(k, first, last);
    }
}

}  // namespace

CpuKernels cpu_kernels() {
    return {run<VirtualSum>, run<Moments>, run<WeightedSum>, pattern_stats};
}

}  // namespace sluice::dense::SLUICE_ISA
