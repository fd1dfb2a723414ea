// Names the kernels of a folder: the only place where they are compiled for devices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/grid.h"
#include "launch/map.h"

namespace sluice::launch {

/// Functions per instruction set that do the same as a kernel, faster; most have none.
template <class K>
struct PerIsa {
    static constexpr decltype(Work::per_isa) run = nullptr;
};

template <Kernel K>
Status map(Queue& queue, index n, K const& kernel) {
    static_assert(sizeof(K) <= 4000, "CUDA takes no more");
    static_assert(alignof(K) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    Work work{n, std::as_bytes(std::span(&kernel, 1)), nullptr, PerIsa<K>::run, grid_function<K>()};
    work.loop = [](void const* bytes, index first, index end, index step) {
        K const here = *static_cast<K const*>(bytes);
        for (index i = first; i != end; i += step) here(i);
    };
    return queue.run(work);
}

}  // namespace sluice::launch

/// These stand in the namespace sluice of a launch.cu, which nvcc compiles, or C++ where it is
/// missing.
#define SLUICE_KERNEL(...) \
    template Status launch::map(Queue& queue, index n, __VA_ARGS__ const& kernel);

/// For one with a function (kernel, first, last) in the table that `table(isa)` returns.
#define SLUICE_KERNEL_PER_ISA(Type, table, name)                                \
    template <>                                                                 \
    struct launch::PerIsa<Type> {                                               \
        static void run(Isa isa, void const* kernel, index first, index last) { \
            table(isa).name(*static_cast<Type const*>(kernel), first, last);    \
        }                                                                       \
    };                                                                          \
    SLUICE_KERNEL(Type)
