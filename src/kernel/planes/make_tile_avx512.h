// The steps of making tiles in AVX-512 with VPOPCNTQ: a vector is eight blocks, or eight frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include <bit>

#include "kernel/planes/make_tile.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

// Words of eight neighbouring blocks, of all frames and planes.
constexpr index group = 8;
using Group = std::uint64_t[32][group][tile_frames];  // on 64-byte boundaries

using Eight = __m512i;

// Eight words of eight frames each: rows and columns change places.
inline void transpose_eight(Eight const rows[group], std::uint64_t* to) {
    Eight pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm512_unpacklo_epi64(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi64(rows[i], rows[i + 1]);
    }
    // Blocks 0 and 4, 2 and 6 (or 1 and 5, 3 and 7) of four frames.
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; ++k) {
            fours[i + k] = _mm512_shuffle_i64x2(pairs[i + k], pairs[i + k + 2], 0x88);
            fours[i + k + 2] = _mm512_shuffle_i64x2(pairs[i + k], pairs[i + k + 2], 0xdd);
        }
    for (int k = 0; k < 4; ++k) {
        int const block = k % 2 + k / 2 * 2;
        _mm512_store_si512(to + block * tile_frames,
                           _mm512_shuffle_i64x2(fours[k], fours[k + 4], 0x88));
        _mm512_store_si512(to + (block + 4) * tile_frames,
                           _mm512_shuffle_i64x2(fours[k], fours[k + 4], 0xdd));
    }
}

// The words of eight blocks: row r's eight bytes to word r, pairs of rows byte by byte, and the
// pairs to their columns.
inline Eight eight_blocks(std::byte const* rows, index stride) {
    __m128i two[4];
    for (int i = 0; i < 4; ++i, rows += 2 * stride)
        two[i] = _mm_castps_si128(
            _mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(rows))),
                         reinterpret_cast<__m64 const*>(rows + stride)));
    Eight x = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_set_m128i(two[1], two[0])),
                                 _mm256_set_m128i(two[3], two[2]), 1);
    x = _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12,
                                                                    5, 13, 6, 14, 7, 15)));
    auto const pair = [](int column) {
        return static_cast<long long>(column) * 0x0001000100010001 + 0x0018001000080000;
    };
    return _mm512_permutexvar_epi16(
        _mm512_setr_epi64(pair(0), pair(1), pair(2), pair(3), pair(4), pair(5), pair(6), pair(7)),
        x);
}

// The words of eight blocks that begin at `at` in each plane.
inline void gather(FrameRows frames, index at, index stride, int planes, Group& out) {
    for (int p = 0; p < planes; ++p)
        for (index f = 0; f < tile_frames; f += group) {
            Eight rows[group];
            std::byte const* from =
                frames.base + f * frames.frame_stride + p * frames.plane_stride + at;
            // As a loop: unrolled, GCC keeps 64 addresses on the stack.
#pragma GCC unroll 1
            for (index k = 0; k < group; ++k, from += frames.frame_stride)
                rows[k] = eight_blocks(from, stride);
            transpose_eight(rows, &out[p][0][f]);
        }
}

/// The sums of a block's pixels in each frame, and how many planes it has.
class Sums {
  public:
    // Without a branch on the words: how many planes a block has cannot be foreseen.
    Sums(Group const& words, index j, int planes) {
        unsigned used = 0;
        for (int p = planes - 1; p >= 0; --p) {
            Eight const a = _mm512_load_si512(words[p][j]);
            Eight const b = _mm512_load_si512(words[p][j] + group);
            Eight const both = _mm512_or_si512(a, b);
            used |= static_cast<unsigned>(_mm512_test_epi64_mask(both, both) != 0) << p;
            low_ = _mm512_add_epi64(_mm512_add_epi64(low_, low_), _mm512_popcnt_epi64(a));
            high_ = _mm512_add_epi64(_mm512_add_epi64(high_, high_), _mm512_popcnt_epi64(b));
        }
        planes_ = static_cast<int>(std::bit_width(used));
    }

    int planes() const { return planes_; }
    bool fit(std::uint64_t most) const {
        Eight const limit = _mm512_set1_epi64(static_cast<long long>(most));
        return (_mm512_cmpgt_epu64_mask(low_, limit) | _mm512_cmpgt_epu64_mask(high_, limit)) == 0;
    }
    void narrow(std::uint8_t* to) const {
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm512_cvtepi64_epi8(low_));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to + group), _mm512_cvtepi64_epi8(high_));
    }
    void wide(std::uint32_t* to) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi64_epi32(low_));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + group), _mm512_cvtepi64_epi32(high_));
    }

  private:
    Eight low_ = _mm512_setzero_si512(), high_ = _mm512_setzero_si512();
    int planes_;
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA
