// Full adders of 512 frames in AVX-512, and the places of a mask's lines among those of a plane.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include "kernel/lines/squares_of_bits_avx512.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

using Bits = Words;  // of frames, in one register

inline void add(Bits& sum, Bits a, Bits b, Bits& carry) {
    auto const x = (__m512i)sum, y = (__m512i)a, z = (__m512i)b;
    carry = (Bits)_mm512_ternarylogic_epi64(x, y, z, 0xe8);
    sum = (Bits)_mm512_ternarylogic_epi64(x, y, z, 0x96);
}
inline std::uint64_t count_lines(std::uint64_t map) {
    return 64 - _lzcnt_u64(_pext_u64(~std::uint64_t{0}, map));
}

/// Calls act(place) for each pixel of `bits` that has a line, with its place among those of `map`.
template <class F>
inline void each_line(std::uint64_t map, std::uint64_t bits, F&& act) {
    for (std::uint64_t places = _pext_u64(bits, map); places != 0; places &= places - 1) {
        act(__builtin_ctzll(places));
        // Hides the loop's end: GCC would count its rounds by a scalar POPCNT, which
        // tools/check_isa.py takes for a loop that became no vectors.
        asm("" : "+r"(places));
    }
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA
