// The launch shape `map`: one call of a functor per element, written once per device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "device/remote.h"

namespace sluice::launch {

/// A kernel is a plain struct of views with `operator()(index i) const`; a copy of its bytes is all
/// that travels to a device.
template <class K>
concept Kernel = std::is_trivially_copyable_v<K> && requires(K const k) {
    k(index{});
};

/// The reference: in order, one after the other.
template <Kernel K>
void map(index n, K const& kernel) {
    for (index i = 0; i < n; ++i) kernel(i);
}

/// On the fake device: from the end, odd elements first, and only when somebody waits.
template <Kernel K>
void map(FakeDevice& device, index n, K kernel) {
    device.submit([n, kernel] {
        for (index i = n - 1; i >= 0; --i)
            if (i % 2 == 1) kernel(i);
        for (index i = n - 1; i >= 0; --i)
            if (i % 2 == 0) kernel(i);
    });
}

}  // namespace sluice::launch
