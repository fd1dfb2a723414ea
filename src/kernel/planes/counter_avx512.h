// Counters of sixteen frames in AVX-512 with VPOPCNTQ, BITALG, VNNI and GFNI: a vector is eight
// frames.
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

/// First moments, per frame: how many pixels each row and each column of a block has, as bytes,
/// times the row or column.
class MomentCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask, std::uint64_t row0,
             std::uint64_t col0, index stride = tile_frames) {
        __m512i const m = broadcast(mask), row = broadcast(row0), col = broadcast(col0);
        // Five planes of eight pixels sum up to less than 2^8.
        for (int first = 0; first < planes; first += 5) {
            int const end = planes - first < 5 ? planes : first + 5;
            for (int v = 0; v < vectors; ++v)
                add_planes(words + 8 * v, stride, first, end, m, row, col, of_[v]);
        }
        if (++blocks_ < most_blocks) return;
        for (Eight& e : of_) e.widen();
        blocks_ = 0;
    }
    void store(Moment* out) {
        for (int v = 0; v < vectors; ++v) {
            of_[v].widen();
            alignas(64) std::uint64_t s[8], r[8], c[8];
            _mm512_store_si512(s, of_[v].sum);
            _mm512_store_si512(r, of_[v].row);
            _mm512_store_si512(c, of_[v].col);
            for (int f = 0; f < 8; ++f) out[8 * v + f] = {s[f], r[f], c[f]};
        }
    }

  private:
    // A block adds less than 2^13 to each half of a word.
    static constexpr int most_blocks = 1 << 19;

    // Two halves of a word, added up.
    static __m512i halves(__m512i x) {
        return _mm512_add_epi64(_mm512_and_si512(x, broadcast(0xffffffff)),
                                _mm512_srli_epi64(x, 32));
    }

    /// Of eight frames.
    struct Eight {
        __m512i sum = _mm512_setzero_si512(), row = sum, col = sum;
        __m512i in_rows = sum, in_cols = sum;  // within the blocks, two 32-bit halves a word

        void widen() {
            row = _mm512_add_epi64(row, halves(in_rows));
            col = _mm512_add_epi64(col, halves(in_cols));
            in_rows = in_cols = _mm512_setzero_si512();
        }
    };

    static void add_planes(std::uint64_t const* words, index stride, int first, int end, __m512i m,
                           __m512i row, __m512i col, Eight& to) {
        __m512i const zero = _mm512_setzero_si512(), diagonal = broadcast(0x8040201008040201),
                      number = broadcast(0x0706050403020100);
        __m512i rows = zero, cols = zero;  // pixels in each of them, a byte each
        for (int p = end - 1; p >= first; --p) {
            __m512i const w = _mm512_and_si512(load(words + stride * p), m);
            // The product of the block's bits with the diagonal: its columns as bytes.
            __m512i const turned = _mm512_gf2p8affine_epi64_epi8(diagonal, w, 0);
            rows = _mm512_add_epi8(_mm512_add_epi8(rows, rows), _mm512_popcnt_epi8(w));
            cols = _mm512_add_epi8(_mm512_add_epi8(cols, cols), _mm512_popcnt_epi8(turned));
        }
        __m512i const n = _mm512_sad_epu8(rows, zero);
        if (first == 0) {
            to.sum = _mm512_add_epi64(to.sum, n);
            to.row = _mm512_add_epi64(to.row, _mm512_mul_epu32(n, row));
            to.col = _mm512_add_epi64(to.col, _mm512_mul_epu32(n, col));
            to.in_rows = _mm512_dpbusd_epi32(to.in_rows, rows, number);
            to.in_cols = _mm512_dpbusd_epi32(to.in_cols, cols, number);
            return;
        }
        auto const add = [&](__m512i& sum, __m512i x) {
            sum = _mm512_add_epi64(sum, _mm512_sll_epi64(x, _mm_cvtsi32_si128(first)));
        };
        add(to.sum, n);
        add(to.row, _mm512_add_epi64(_mm512_mul_epu32(n, row),
                                     halves(_mm512_dpbusd_epi32(zero, rows, number))));
        add(to.col, _mm512_add_epi64(_mm512_mul_epu32(n, col),
                                     halves(_mm512_dpbusd_epi32(zero, cols, number))));
    }

    Eight of_[vectors];
    int blocks_ = 0;
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA
