// The sum of one tile's frames, block by block, in AVX-512; for planes.isa.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include "kernel/planes/tile.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

// A word of a plane is the mask of the pixels whose byte grows. Counting frames in binary first, as
// BlockOfTiles does, pays off for several tiles only: what it counted must be taken apart.
class OneTile {
  public:
    OneTile(Tile tile, std::uint16_t frame_mask) : tile_(tile), frame_mask_(frame_mask) {}

    void sum(index block, std::uint64_t* to) const {
        Tile::Entry const e = tile_.entry(block);
        for (int p = 0; p < e.planes; p += together) {
            int const count = e.planes - p < together ? e.planes - p : together;
            std::uint64_t const* const words = tile_.words(e) + p * tile_frames;
            __m512i const bytes =
                frame_mask_ == 0xffff ? all_frames(words, count) : some_frames(words, count);
            add(bytes, p, to);
        }
    }

  private:
    static constexpr int together = 4;  // planes of sixteen frames, whose sum a byte holds: 240

    static __m512i with(__m512i bytes, std::uint64_t word, __m512i one) {
        return _mm512_mask_add_epi8(bytes, _cvtu64_mask64(word), bytes, one);
    }
    static __m512i all_frames(std::uint64_t const* words, int planes) {
        __m512i even = _mm512_setzero_si512(), odd = even;
        for (int p = 0; p < planes; ++p, words += tile_frames) {
            __m512i const one = _mm512_set1_epi8(static_cast<char>(1 << p));
#pragma GCC unroll 8
            for (index f = 0; f < tile_frames; f += 2) {
                even = with(even, words[f], one);
                odd = with(odd, words[f + 1], one);
            }
        }
        return _mm512_add_epi8(even, odd);
    }
    __m512i some_frames(std::uint64_t const* words, int planes) const {
        __m512i bytes = _mm512_setzero_si512();
        for (int p = 0; p < planes; ++p, words += tile_frames)
            for (index f = 0; f < tile_frames; ++f)
                if (frame_mask_ >> f & 1)
                    bytes = with(bytes, words[f], _mm512_set1_epi8(static_cast<char>(1 << p)));
        return bytes;
    }
    static void add(__m512i bytes, int shift, std::uint64_t* to) {
        alignas(64) std::uint8_t each[64];
        _mm512_store_si512(each, bytes);
        __m128i const by = _mm_cvtsi32_si128(shift);
        for (int k = 0; k < 64; k += 8) {
            __m512i const eight =
                _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(each + k)));
            _mm512_storeu_si512(
                to + k, _mm512_add_epi64(_mm512_loadu_si512(to + k), _mm512_sll_epi64(eight, by)));
        }
    }

    Tile tile_;
    std::uint16_t frame_mask_;
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA
