// Integers out of bytes, whatever the alignment and the byte order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "sluice/view.h"

namespace sluice {

template <class T>
    requires std::is_integral_v<T>
T load_be(std::byte const* p) {
    T v = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        v = static_cast<T>(static_cast<std::uint64_t>(v) << 8 | std::to_integer<std::uint64_t>(p[i]));
    return v;
}

template <class T>
    requires std::is_integral_v<T>
T load_le(std::byte const* p) {
    T v = 0;
    for (std::size_t i = sizeof(T); i-- > 0;)
        v = static_cast<T>(static_cast<std::uint64_t>(v) << 8 | std::to_integer<std::uint64_t>(p[i]));
    return v;
}

template <class T>
    requires std::is_integral_v<T>
void store_be(std::byte* p, T v) {
    for (std::size_t i = sizeof(T); i-- > 0;) {
        p[i] = static_cast<std::byte>(v & 0xff);
        v = static_cast<T>(static_cast<std::uint64_t>(v) >> 8);
    }
}

}  // namespace sluice
