// The launch shape `map` on CUDA: one thread per element, in a grid-stride loop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "launch/map.h"

namespace sluice::launch {

inline constexpr int map_threads = 256;  // full occupancy needs no more registers than 64 a thread
inline constexpr index map_blocks = 65535;

template <class K>
__global__ void map_kernel(index n, K kernel) {
    index const step = static_cast<index>(gridDim.x) * blockDim.x;
    for (index i = static_cast<index>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        kernel(i);
}

template <Kernel K>
Status map_cuda(index n, K const& kernel) {
    if (n == 0) return {};
    auto const blocks =
        static_cast<unsigned>(std::min((n + map_threads - 1) / map_threads, map_blocks));
    map_kernel<<<blocks, map_threads>>>(n, kernel);
    if (auto e = cudaGetLastError(); e != cudaSuccess)
        return Error{Code::unavailable, std::string("the GPU refused a kernel (CUDA: ") +
                                            cudaGetErrorString(e) + "); use --device cpu"};
    return {};
}

}  // namespace sluice::launch
