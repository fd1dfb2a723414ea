// The launch shape `map`: one call of a functor per element, on every kind of device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "device/queue.h"

namespace sluice::launch {

/// A kernel is a plain struct of views with `operator()(index i) const` that writes what no other
/// call reads or writes; a copy of its bytes is all that travels to a device.
template <class K>
concept Kernel = std::is_trivially_copyable_v<K> && requires(K const k) {
    k(index{});
};

/// The reference: in order, one after the other, here and now.
template <Kernel K>
void map(index n, K const& kernel) {
    for (index i = 0; i < n; ++i) kernel(i);
}

/// The same where the queue's memory is; done after queue.wait(). For kernels that a launch.cu
/// names.
template <Kernel K>
Status map(Queue& queue, index n, K const& kernel);

}  // namespace sluice::launch
