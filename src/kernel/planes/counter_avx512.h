// Counters of sixteen frames in AVX-512 with VPOPCNTQ: a vector is eight frames.
//
// Written out, since GCC 12 unrolls plain loops over sixteen frames into scalar popcounts before it
// could make vectors of them (tools/check_isa.py looks for those).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include "kernel/planes/kernels.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

constexpr int vectors = 2;  // of eight frames each

inline __m512i load(std::uint64_t const* p) {
    return _mm512_loadu_si512(p);
}
inline __m512i broadcast(std::uint64_t x) {
    return _mm512_set1_epi64(static_cast<long long>(x));
}

/// Sums of masked pixels, per frame.
class SumCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask) {
        __m512i const m = broadcast(mask);
        // From the top plane down, each time doubled, so that no plane needs a shift of its own.
        __m512i sum[vectors] = {};
        for (int p = planes - 1; p >= 0; --p)
            for (int v = 0; v < vectors; ++v) {
                __m512i const n =
                    _mm512_popcnt_epi64(_mm512_and_si512(load(words + 16 * p + 8 * v), m));
                sum[v] = _mm512_add_epi64(_mm512_add_epi64(sum[v], sum[v]), n);
            }
        for (int v = 0; v < vectors; ++v) sums_[v] = _mm512_add_epi64(sums_[v], sum[v]);
    }
    /// Of `count` blocks side by side, at most 257, so that 16 bits hold their sum.
    void add_totals(std::uint8_t const* totals, std::uint32_t count) {
        __m256i sum = _mm256_setzero_si256();
        for (std::uint32_t i = 0; i < count; ++i)
            sum = _mm256_add_epi16(sum, _mm256_cvtepu8_epi16(_mm_loadu_si128(
                                            reinterpret_cast<__m128i const*>(totals) + i)));
        sums_[0] = _mm512_add_epi64(sums_[0], _mm512_cvtepu16_epi64(_mm256_castsi256_si128(sum)));
        sums_[1] =
            _mm512_add_epi64(sums_[1], _mm512_cvtepu16_epi64(_mm256_extracti128_si256(sum, 1)));
    }
    void add_totals(std::uint32_t const* totals) {
        for (int v = 0; v < vectors; ++v)
            sums_[v] =
                _mm512_add_epi64(sums_[v], _mm512_cvtepu32_epi64(_mm256_loadu_si256(
                                               reinterpret_cast<__m256i const*>(totals + 8 * v))));
    }
    void store(std::uint64_t* out) {
        for (int v = 0; v < vectors; ++v) _mm512_storeu_si512(out + 8 * v, sums_[v]);
    }

  private:
    __m512i sums_[vectors] = {};
};

// Bit k of a coordinate inside a block, over the block's 64 pixels: columns, then rows.
constexpr std::uint64_t coordinate_bit[6] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC,
                                             0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00,
                                             0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

/// First moments, per frame: the coordinates in binary, so that they too are popcounts.
class MomentCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask, std::uint64_t row0,
             std::uint64_t col0) {
        __m512i const m = broadcast(mask), row = broadcast(row0), col = broadcast(col0);
        // Sixteen planes of a block sum up to less than 2^22, so that 32 bits are multiplied.
        for (int first = 0; first < planes; first += 16) {
            int const end = planes - first < 16 ? planes : first + 16;
            for (int v = 0; v < vectors; ++v) add_planes(words + 8 * v, first, end, m, row, col, v);
        }
    }
    void store(Moment* out) {
        for (int v = 0; v < vectors; ++v) {
            alignas(64) std::uint64_t s[8], r[8], c[8];
            __m512i row = row_[v], col = col_[v];
            for (int k = 0; k < 3; ++k) {
                col = _mm512_add_epi64(col, _mm512_sll_epi64(bits_[v][k], _mm_cvtsi32_si128(k)));
                row =
                    _mm512_add_epi64(row, _mm512_sll_epi64(bits_[v][3 + k], _mm_cvtsi32_si128(k)));
            }
            _mm512_store_si512(s, sum_[v]);
            _mm512_store_si512(r, row);
            _mm512_store_si512(c, col);
            for (int f = 0; f < 8; ++f) out[8 * v + f] = {s[f], r[f], c[f]};
        }
    }

  private:
    void add_planes(std::uint64_t const* words, int first, int end, __m512i m, __m512i row,
                    __m512i col, int v) {
        __m512i const zero = _mm512_setzero_si512();
        __m512i n = zero, bit[6] = {zero, zero, zero, zero, zero, zero};
        for (int p = end - 1; p >= first; --p) {
            __m512i const w = _mm512_and_si512(load(words + 16 * p), m);
            n = _mm512_add_epi64(_mm512_add_epi64(n, n), _mm512_popcnt_epi64(w));
            for (int k = 0; k < 6; ++k)
                bit[k] = _mm512_add_epi64(
                    _mm512_add_epi64(bit[k], bit[k]),
                    _mm512_popcnt_epi64(_mm512_and_si512(w, broadcast(coordinate_bit[k]))));
        }
        __m128i const shift = _mm_cvtsi32_si128(first);
        auto const add = [&](__m512i& to, __m512i x) {
            to = _mm512_add_epi64(to, first > 0 ? _mm512_sll_epi64(x, shift) : x);
        };
        add(sum_[v], n);
        add(row_[v], _mm512_mul_epu32(n, row));
        add(col_[v], _mm512_mul_epu32(n, col));
        for (int k = 0; k < 6; ++k) add(bits_[v][k], bit[k]);
    }

    __m512i sum_[vectors] = {}, row_[vectors] = {}, col_[vectors] = {}, bits_[vectors][6] = {};
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA
