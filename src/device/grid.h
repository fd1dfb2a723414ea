// A kernel as a CUDA function: one thread per element, in a grid-stride loop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice {

#if defined(__CUDACC__)
template <class K>
__global__ void each_of_grid(index n, K kernel) {
    index const step = static_cast<index>(gridDim.x) * blockDim.x;
    for (index i = static_cast<index>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        kernel(i);
}
#endif

/// For Work::grid; null where nvcc does not compile this.
template <class K>
void const* grid_function() {
#if defined(__CUDACC__)
    return reinterpret_cast<void const*>(&each_of_grid<K>);
#else
    return nullptr;
#endif
}

}  // namespace sluice
