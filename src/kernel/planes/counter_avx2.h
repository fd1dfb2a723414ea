// Counters of sixteen frames in AVX2, which has no popcount: nibble tables (Mula, Kurz, Lemire
// 2018, "Faster population counts using AVX2 instructions"), weighted while still in bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include "kernel/planes/kernels.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

constexpr int vectors = 4;  // of four frames each

inline __m256i table(char a0, char a1, char a2, char a3, char a4, char a5, char a6, char a7,
                     char a8, char a9, char a10, char a11, char a12, char a13, char a14, char a15) {
    return _mm256_setr_epi8(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,
                            a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15);
}
inline __m256i ones_table() {
    return table(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
}
// The sum of the positions of the bits set in a nibble, and the same four columns further on.
inline __m256i low_cols_table() {
    return table(0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6);
}
inline __m256i high_cols_table() {
    return table(0, 4, 5, 9, 6, 10, 11, 15, 7, 11, 12, 16, 13, 17, 18, 22);
}

inline __m256i load(std::uint64_t const* p) {
    return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p));
}
inline __m256i low_nibbles(__m256i x) {
    return _mm256_and_si256(x, _mm256_set1_epi8(15));
}
inline __m256i high_nibbles(__m256i x) {
    return _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(15));
}
inline __m256i ones_in_bytes(__m256i x) {
    return _mm256_add_epi8(_mm256_shuffle_epi8(ones_table(), low_nibbles(x)),
                           _mm256_shuffle_epi8(ones_table(), high_nibbles(x)));
}
inline __m256i sum_bytes(__m256i x) {
    return _mm256_sad_epu8(x, _mm256_setzero_si256());
}

class SumCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask) {
        switch (planes) {
            case 0:
                return;
            case 1:
                return add_low<1>(words, mask);
            case 2:
                return add_low<2>(words, mask);
            case 3:
                return add_low<3>(words, mask);
            case 4:
                return add_low<4>(words, mask);
            default:
                break;
        }
        add_low<5>(words, mask);
        __m256i const m = _mm256_set1_epi64x(static_cast<long long>(mask));
        for (int p = 5; p < planes; ++p)
            for (int v = 0; v < vectors; ++v) {
                __m256i const n =
                    sum_bytes(ones_in_bytes(_mm256_and_si256(load(words + 16 * p + 4 * v), m)));
                sums_[v] = _mm256_add_epi64(sums_[v], _mm256_slli_epi64(n, p));
            }
    }
    /// Of `count` blocks side by side, at most 257, so that 16 bits hold their sum.
    void add_totals(std::uint8_t const* totals, std::uint32_t count) {
        __m256i sum = _mm256_setzero_si256();
        for (std::uint32_t i = 0; i < count; ++i)
            sum = _mm256_add_epi16(sum, _mm256_cvtepu8_epi16(_mm_loadu_si128(
                                            reinterpret_cast<__m128i const*>(totals) + i)));
        __m128i const low = _mm256_castsi256_si128(sum), high = _mm256_extracti128_si256(sum, 1);
        sums_[0] = _mm256_add_epi64(sums_[0], _mm256_cvtepu16_epi64(low));
        sums_[1] = _mm256_add_epi64(sums_[1], _mm256_cvtepu16_epi64(_mm_srli_si128(low, 8)));
        sums_[2] = _mm256_add_epi64(sums_[2], _mm256_cvtepu16_epi64(high));
        sums_[3] = _mm256_add_epi64(sums_[3], _mm256_cvtepu16_epi64(_mm_srli_si128(high, 8)));
    }
    void add_totals(std::uint32_t const* totals) {
        for (int v = 0; v < vectors; ++v)
            sums_[v] = _mm256_add_epi64(
                sums_[v], _mm256_cvtepu32_epi64(
                              _mm_loadu_si128(reinterpret_cast<__m128i const*>(totals + 4 * v))));
    }
    void store(std::uint64_t* out) {
        flush();
        for (int v = 0; v < vectors; ++v)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 4 * v), sums_[v]);
    }

  private:
    // A byte of a block grows by at most 8 * (2^planes - 1), 248 for five planes.
    template <int planes>
    void add_low(std::uint64_t const* words, std::uint64_t mask) {
        constexpr int growth = 8 * ((1 << planes) - 1);
        if (room_ < growth) flush();
        room_ -= growth;
        __m256i const m = _mm256_set1_epi64x(static_cast<long long>(mask));
        for (int v = 0; v < vectors; ++v) {
            __m256i t = _mm256_setzero_si256();
            for (int p = planes - 1; p >= 0; --p) {
                __m256i const x = _mm256_and_si256(load(words + 16 * p + 4 * v), m);
                t = _mm256_add_epi8(_mm256_add_epi8(t, t), ones_in_bytes(x));
            }
            bytes_[v] = _mm256_add_epi8(bytes_[v], t);
        }
    }
    void flush() {
        for (int v = 0; v < vectors; ++v) {
            sums_[v] = _mm256_add_epi64(sums_[v], sum_bytes(bytes_[v]));
            bytes_[v] = _mm256_setzero_si256();
        }
        room_ = 255;
    }

    __m256i bytes_[vectors] = {}, sums_[vectors] = {};
    int room_ = 255;
};

class MomentCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask, std::uint64_t row0,
             std::uint64_t col0, index stride = tile_frames) {
        __m256i const m = _mm256_set1_epi64x(static_cast<long long>(mask));
        __m256i const row = _mm256_set1_epi64x(static_cast<long long>(row0));
        __m256i const col = _mm256_set1_epi64x(static_cast<long long>(col0));
        for (int p = 0; p < planes; p += 3) {
            int const group = planes - p < 3 ? planes - p : 3;
            if (group == 1) add_group<1>(words + stride * p, stride, p, m, row, col);
            if (group == 2) add_group<2>(words + stride * p, stride, p, m, row, col);
            if (group == 3) add_group<3>(words + stride * p, stride, p, m, row, col);
        }
    }
    void store(Moment* out) {
        for (int v = 0; v < vectors; ++v) {
            alignas(32) std::uint64_t s[4], r[4], c[4];
            _mm256_store_si256(reinterpret_cast<__m256i*>(s), sum_[v]);
            _mm256_store_si256(reinterpret_cast<__m256i*>(r), row_[v]);
            _mm256_store_si256(reinterpret_cast<__m256i*>(c), col_[v]);
            for (int f = 0; f < 4; ++f) out[4 * v + f] = {s[f], r[f], c[f]};
        }
    }

  private:
    // Three planes: a byte of t holds at most 8 * 7 = 56 counts, one of x 28 * 7 = 196 columns.
    template <int planes>
    void add_group(std::uint64_t const* words, index stride, int shift, __m256i m, __m256i row0,
                   __m256i col0) {
        __m256i const rows_of_bytes = _mm256_set1_epi64x(0x0706050403020100);
        __m256i const low_half = _mm256_set1_epi64x(0xffffffff);
        for (int v = 0; v < vectors; ++v) {
            __m256i t = _mm256_setzero_si256(), x = t;
            for (int p = planes - 1; p >= 0; --p) {
                __m256i const w = _mm256_and_si256(load(words + stride * p + 4 * v), m);
                __m256i const low = low_nibbles(w), high = high_nibbles(w);
                __m256i const n = _mm256_add_epi8(_mm256_shuffle_epi8(ones_table(), low),
                                                  _mm256_shuffle_epi8(ones_table(), high));
                __m256i const c = _mm256_add_epi8(_mm256_shuffle_epi8(low_cols_table(), low),
                                                  _mm256_shuffle_epi8(high_cols_table(), high));
                t = _mm256_add_epi8(_mm256_add_epi8(t, t), n);
                x = _mm256_add_epi8(_mm256_add_epi8(x, x), c);
            }
            __m256i const sum = sum_bytes(t);
            __m256i y =
                _mm256_madd_epi16(_mm256_maddubs_epi16(t, rows_of_bytes), _mm256_set1_epi16(1));
            y = _mm256_add_epi64(_mm256_and_si256(y, low_half), _mm256_srli_epi64(y, 32));
            __m256i const r = _mm256_add_epi64(y, _mm256_mul_epu32(sum, row0));
            __m256i const c = _mm256_add_epi64(sum_bytes(x), _mm256_mul_epu32(sum, col0));
            sum_[v] = _mm256_add_epi64(sum_[v], _mm256_slli_epi64(sum, shift));
            row_[v] = _mm256_add_epi64(row_[v], _mm256_slli_epi64(r, shift));
            col_[v] = _mm256_add_epi64(col_[v], _mm256_slli_epi64(c, shift));
        }
    }

    __m256i sum_[vectors] = {}, row_[vectors] = {}, col_[vectors] = {};
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA
