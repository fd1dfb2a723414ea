// A frame's bits of the lines of one plane, by PDEP; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/adder_avx512.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

constexpr int lines_ahead = 128;  // 8 KB

/// Bit `bit` of the words of the lines that `map` says there are, at the places of their pixels.
/// `line` goes on to the next plane's.
inline std::uint64_t bits_of_lines(std::uint64_t map, std::uint64_t const*& line, int bit) {
    auto const count = static_cast<int>(count_lines(map));
    __m512i const eight = _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56);  // words
    __m512i const wanted = _mm512_set1_epi64(static_cast<long long>(std::uint64_t{1} << bit));
    std::uint64_t bits = 0;
    for (int i = 0; i < count; i += 8) {
        int const left = count - i;
        // Lines of blocks and planes follow each other; gathers alone would wait for each eight.
        for (int k = 0; k < 8; ++k)
            __builtin_prefetch(line + line_words * (i + k + lines_ahead), 0, 1);
        auto const there = static_cast<__mmask8>(left < 8 ? (1 << left) - 1 : 255);
        __m512i const words = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, eight,
                                                          line + line_words * i, 8);
        bits |= static_cast<std::uint64_t>(_mm512_test_epi64_mask(words, wanted)) << i;
    }
    line += line_words * count;
    return _pdep_u64(bits, map);
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA
