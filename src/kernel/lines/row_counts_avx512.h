// In how many chosen frames the lines of eight pixels have a bit, by VPOPCNTQ; for *.isa.cpp files
// only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/adder_avx512.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

class RowCounts {
  public:
    explicit RowCounts(std::uint64_t const* chosen) : chosen_(_mm512_loadu_si512(chosen)) {}

    /// Adds to eight pixels, of which `map` says which have a line; returns where the next lines
    /// begin.
    std::uint64_t const* add(std::uint8_t map, std::uint64_t const* line, int plane,
                             std::uint64_t* sums) const {
        int const count = static_cast<int>(count_lines(map));
        if (count == 0) return line;
        __m512i n[8];
        for (int k = 0; k < 8; ++k) {
            __builtin_prefetch(line + line_words * (k + ahead), 0, 1);
            auto const there = static_cast<__mmask8>(k < count ? 255 : 0);
            n[k] = _mm512_popcnt_epi64(
                _mm512_and_si512(chosen_, _mm512_maskz_loadu_epi64(there, line + line_words * k)));
        }
        // Sums of neighbours within vectors, three times: lane k becomes that of line k.
        for (int k = 0; k < 4; ++k)
            n[k] = _mm512_add_epi64(_mm512_unpacklo_epi64(n[2 * k], n[2 * k + 1]),
                                    _mm512_unpackhi_epi64(n[2 * k], n[2 * k + 1]));
        for (int k = 0; k < 2; ++k)
            n[k] = _mm512_add_epi64(_mm512_shuffle_i64x2(n[2 * k], n[2 * k + 1], 0x88),
                                    _mm512_shuffle_i64x2(n[2 * k], n[2 * k + 1], 0xdd));
        __m512i const all = _mm512_add_epi64(_mm512_shuffle_i64x2(n[0], n[1], 0x88),
                                             _mm512_shuffle_i64x2(n[0], n[1], 0xdd));
        __m512i const of_pixels =
            _mm512_maskz_expand_epi64(map, _mm512_slli_epi64(all, static_cast<unsigned>(plane)));
        _mm512_storeu_si512(sums, _mm512_add_epi64(_mm512_loadu_si512(sums), of_pixels));
        return line + line_words * count;
    }

  private:
    static constexpr int ahead = 128;  // lines of blocks and planes follow each other
    __m512i chosen_;
};

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA
