// Full adders of frames for any instruction set, and the places of a mask's lines among those of a
// plane.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::lines::SLUICE_ISA {
namespace {

/// Bits of frames in one register.
#if defined(__AVX2__)
typedef std::uint64_t Bits __attribute__((vector_size(32)));
#else
typedef std::uint64_t Bits __attribute__((vector_size(16)));  // NEON's and SSE's
#endif

inline void add(Bits& sum, Bits a, Bits b, Bits& carry) {
    Bits const both = sum ^ a;
    carry = (sum & a) | (both & b);
    sum = both ^ b;
}
inline bool any_bit(Bits x) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < sizeof x / 8; ++i) all |= x[i];
    return all != 0;
}

inline std::uint64_t count_lines(std::uint64_t map) {
    return static_cast<std::uint64_t>(__builtin_popcountll(map));
}

/// Calls act(place) for each pixel of `bits` that has a line, with its place among those of `map`.
template <class F>
inline void each_line(std::uint64_t map, std::uint64_t bits, F&& act) {
    // Not by PEXT, which early Zen processors take hundreds of cycles for.
    for (std::uint64_t m = map & bits; m != 0; m &= m - 1)
        act(__builtin_popcountll(map & ((m & -m) - 1)));
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA
