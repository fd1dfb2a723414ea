// One byte of each of 64 elements, and the bit planes of such bytes; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/bitshuffle/words.h"
#include "sluice/view.h"

#if defined(__AVX512BW__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace sluice::codec::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

// Byte j of 64 elements, one after the other.
inline void gather_byte(std::byte const* values, int bytes, int j, std::byte* out) {
    for (int i = 0; i < 64; ++i) out[i] = values[i * bytes + j];
}

typedef std::uint16_t Eight __attribute__((vector_size(16)));

// a0 b0 a1 b1 ...
template <class V>
inline void interleave(V a, V b, V* out) {
    if constexpr (sizeof(a[0]) == 1) {
        out[0] =
            __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        out[1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30,
                                         15, 31);
    } else {
        out[0] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
        out[1] = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    }
}

// The inverse of gather_byte() for all bytes of 64 elements.
template <int bytes>
inline void scatter_bytes(std::byte const (*columns)[64], std::byte* values) {
    if constexpr (bytes == 1) {
        std::memcpy(values, columns[0], 64);
    } else {
        for (int q = 0; q < 4; ++q) {
            Sixteen c[bytes], pairs[bytes];
            for (int j = 0; j < bytes; ++j) std::memcpy(&c[j], columns[j] + 16 * q, 16);
            for (int j = 0; j < bytes; j += 2) interleave(c[j], c[j + 1], pairs + j);
            // Each vector is stored by itself: a wide load of two narrow stores waits for both.
            if constexpr (bytes == 2) {
                for (int k = 0; k < 2; ++k) std::memcpy(values + 32 * q + 16 * k, &pairs[k], 16);
            } else {
                Eight wide[4], out[4];
                for (int k = 0; k < 4; ++k) std::memcpy(&wide[k], &pairs[k], 16);
                interleave(wide[0], wide[2], out);
                interleave(wide[1], wide[3], out + 2);
                for (int k = 0; k < 4; ++k) std::memcpy(values + 64 * q + 16 * k, &out[k], 16);
            }
        }
    }
}

// Up to eight planes of 64 elements become a byte of each.
inline void column_of_planes(std::byte const* planes, index stride, int count, std::byte* column) {
#if defined(__AVX512BW__)
    __m512i x = _mm512_setzero_si512();
    for (int k = 0; k < count; ++k) {
        std::uint64_t bits;
        std::memcpy(&bits, planes + k * stride, 8);
        x = _mm512_mask_add_epi8(x, bits, x, _mm512_set1_epi8(static_cast<char>(1 << k)));
    }
    _mm512_storeu_si512(column, x);
#else
    Words x = {};
    for (int k = 0; k < count; ++k) {
        Word w;
        std::memcpy(&w, planes + k * stride, 8);
        x[k] = w;
    }
    Words const y = transpose_bits(transpose_bytes(x));
    std::memcpy(column, &y, 64);
#endif
}

#if defined(__AVX512BW__)
/// 64 bytes, each of which is byte j of an element.
struct Column {
    __m512i x;

    template <int bytes>
    static Column of(std::byte const* values, int j) {
        if constexpr (bytes == 1) {
            return {_mm512_loadu_si512(values)};
        } else if constexpr (bytes == 2) {
            __m512i a = _mm512_loadu_si512(values), b = _mm512_loadu_si512(values + 64);
            __m512i const low = _mm512_set1_epi16(0xff);
            __m128i const by = _mm_cvtsi32_si128(8 * j);
            a = _mm512_and_si512(_mm512_srl_epi16(a, by), low);
            b = _mm512_and_si512(_mm512_srl_epi16(b, by), low);
            // Packed in lanes of 16 bytes, eight of a and then eight of b.
            return {_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
                                             _mm512_packus_epi16(a, b))};
        } else {
            std::byte column[64];
            gather_byte(values, bytes, j, column);
            return {_mm512_loadu_si512(column)};
        }
    }
    /// Bit k of each.
    Word plane(int k) const {
        return _mm512_test_epi8_mask(x, _mm512_set1_epi8(static_cast<char>(1 << k)));
    }
};
#elif defined(__AVX2__)
struct Column {
    __m256i x[2];

    template <int bytes>
    static Column of(std::byte const* values, int j) {
        Column c;
        for (int half = 0; half < 2; ++half) {
            std::byte const* const from = values + half * 32 * bytes;
            if constexpr (bytes == 1) {
                c.x[half] = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from));
            } else if constexpr (bytes == 2) {
                __m256i a = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from));
                __m256i b = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from + 32));
                __m256i const low = _mm256_set1_epi16(0xff);
                a = j == 1 ? _mm256_srli_epi16(a, 8) : _mm256_and_si256(a, low);
                b = j == 1 ? _mm256_srli_epi16(b, 8) : _mm256_and_si256(b, low);
                c.x[half] = _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8);
            } else {
                alignas(32) std::byte column[32];
                for (int i = 0; i < 32; ++i) column[i] = from[i * bytes + j];
                c.x[half] = _mm256_load_si256(reinterpret_cast<__m256i const*>(column));
            }
        }
        return c;
    }
    Word plane(int k) const {
        __m128i const by = _mm_cvtsi32_si128(7 - k);
        auto const half = [&](int h) {
            return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_sll_epi16(x[h], by)));
        };
        return Word{half(0)} | Word{half(1)} << 32;
    }
};
#else
struct Column {
    Words planes;

    template <int bytes>
    static Column of(std::byte const* values, int j) {
        std::byte column[64];
        gather_byte(values, bytes, j, column);
        return {transpose_bytes(transpose_bits(load(column)))};
    }
    Word plane(int k) const { return planes[k]; }
};
#endif

}  // namespace
}  // namespace sluice::codec::SLUICE_ISA
