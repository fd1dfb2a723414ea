// Integers out of bytes, whatever the alignment and the byte order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "sluice/view.h"

namespace sluice {

namespace detail {
template <class T>
constexpr T swapped(T v) {
    if constexpr (sizeof(T) == 1) return v;
    if constexpr (sizeof(T) == 2)
        return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(v)));
    if constexpr (sizeof(T) == 4)
        return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(v)));
    if constexpr (sizeof(T) == 8)
        return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(v)));
}
}  // namespace detail

template <class T>
requires std::is_integral_v<T> T load_be(std::byte const* p) {
    T v;
    std::memcpy(&v, p, sizeof v);
    return std::endian::native == std::endian::big ? v : detail::swapped(v);
}

template <class T>
requires std::is_integral_v<T> T load_le(std::byte const* p) {
    T v;
    std::memcpy(&v, p, sizeof v);
    return std::endian::native == std::endian::little ? v : detail::swapped(v);
}

template <class T>
requires std::is_integral_v<T>
void store_be(std::byte* p, T v) {
    if (std::endian::native == std::endian::little) v = detail::swapped(v);
    std::memcpy(p, &v, sizeof v);
}

}  // namespace sluice
