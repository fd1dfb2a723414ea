// Squares of bits, bytes and words that change rows and columns, in AVX-512 with GFNI.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include "codec/bitshuffle/words.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

using sluice::SLUICE_ISA::Words;

// The 8x8 bits in each word: a product with the identity, whose rows GFNI counts from the other
// end.
inline Words turn_bits(Words x) {
    Words const identity = Words{} + 0x8040201008040201;
    Words const swap = {0x0001020304050607, 0x08090a0b0c0d0e0f, 0x0001020304050607,
                        0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f,
                        0x0001020304050607, 0x08090a0b0c0d0e0f};
    return (Words)_mm512_gf2p8affine_epi64_epi8((__m512i)identity,
                                                _mm512_shuffle_epi8((__m512i)x, (__m512i)swap), 0);
}

// The 8x8 bytes of eight words: pairs of rows byte by byte, and the pairs to their columns.
inline Words turn_bytes(Words x) {
    constexpr std::uint64_t low = 0x0b030a0209010800, high = 0x0f070e060d050c04;
    Words const bytes = {low, high, low, high, low, high, low, high};
    typedef std::uint16_t Pairs __attribute__((vector_size(64)));
    auto const pairs = (Pairs)_mm512_shuffle_epi8((__m512i)x, (__m512i)bytes);
    return (Words)__builtin_shufflevector(pairs, pairs, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26,
                                          3, 11, 19, 27, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22,
                                          30, 7, 15, 23, 31);
}

// By the compiler's own shuffles: GCC 12 takes those of its intrinsics for uninitialised here.
inline void turn_words(Words (&x)[8]) {
    Words pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pairs[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    auto const even = [](Words a, Words b) {
        return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
    };
    auto const odd = [](Words a, Words b) {
        return __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
    };
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; ++k) {
            fours[i + k] = even(pairs[i + k], pairs[i + k + 2]);
            fours[i + k + 2] = odd(pairs[i + k], pairs[i + k + 2]);
        }
    for (int k = 0; k < 4; ++k) {
        int const row = k % 2 + k / 2 * 2;
        x[row] = even(fours[k], fours[k + 4]);
        x[row + 4] = odd(fours[k], fours[k + 4]);
    }
}

inline bool any_bit(Words x) {
    return _mm512_test_epi64_mask((__m512i)x, (__m512i)x) != 0;
}

/// Bit i: word i is not 0.
inline std::uint64_t words_with_bits(Words x) {
    return _mm512_test_epi64_mask((__m512i)x, (__m512i)x);
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA
