// Functions of floats side by side in a register; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/squares/lanes.h"

namespace sluice::fft::SLUICE_ISA {
namespace {

typedef std::int32_t Words __attribute__((vector_size(register_bytes)));

/// 1 / sqrt(x) to a few units in the last place, of normal numbers.
[[gnu::always_inline, maybe_unused]] inline Floats inverse_root(Floats const& x) {
#if defined(__AVX512F__)
    Floats const y = (Floats)_mm512_maskz_rsqrt14_ps(0xffff, (__m512)x);
#elif defined(__AVX__)
    Floats const y = (Floats)_mm256_rsqrt_ps((__m256)x);
#else
    Floats y{};
    for (index i = 0; i < lanes; ++i) y[i] = 1 / __builtin_sqrtf(x[i]);
#endif
    // Newton's step.
    return fused(y * 0.5f, fused_less(x * y, y, all_of(1)), y);
}

/// 1 / x to a few units in the last place, of normal numbers.
[[gnu::always_inline, maybe_unused]] inline Floats inverse(Floats const& x) {
#if defined(__AVX512F__)
    Floats const y = (Floats)_mm512_maskz_rcp14_ps(0xffff, (__m512)x);
#elif defined(__AVX__)
    Floats const y = (Floats)_mm256_rcp_ps((__m256)x);
#else
    return 1 / x;
#endif
#if defined(__AVX__)
    return fused(y, fused_less(x, y, all_of(1)), y);
#endif
}

[[gnu::always_inline, maybe_unused]] inline Floats larger(Floats const& a, Floats const& b) {
    return a > b ? a : b;
}

/// The natural logarithm, to about a millionth; of normal numbers above zero.
[[gnu::always_inline, maybe_unused]] inline Floats logarithm(Floats const& x) {
    // x = 2^e m with m in [1/sqrt 2, sqrt 2), ln m = 2 artanh((m - 1) / (m + 1)).
    Words const bits = (Words)x - 0x3f3504f3;
    Words const e = bits >> 23;
    Floats const m = (Floats)((bits & 0x7fffff) + 0x3f3504f3);
    Floats const t = (m - 1) * inverse(m + 1), s = t * t;
    Floats const series = fused(
        s, fused(s, fused(s, all_of(2.0f / 7), all_of(2.0f / 5)), all_of(2.0f / 3)), all_of(2));
    return fused(t, series, __builtin_convertvector(e, Floats) * 0.693147181f);
}

/// The sum of a register's numbers: halves are added up until one is left.
[[gnu::always_inline, maybe_unused]] inline float total_of(Floats const& all) {
#if defined(__SSE2__)
#if defined(__AVX512F__)
    // GCC warns about the insides of the intrinsics for this, not of its own shuffle.
    __m256 const eight = (__m256)__builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7) +
                         (__m256)__builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15);
    __m128 const four = _mm256_castps256_ps128(eight) + _mm256_extractf128_ps(eight, 1);
#elif defined(__AVX__)
    __m256 const eight = (__m256)all;
    __m128 const four = _mm256_castps256_ps128(eight) + _mm256_extractf128_ps(eight, 1);
#else
    __m128 const four = (__m128)all;
#endif
    __m128 const two = four + _mm_movehl_ps(four, four);
    return two[0] + two[1];
#else
    float v[lanes];
    std::memcpy(v, &all, sizeof v);
#pragma GCC unroll 4
    for (index half = lanes / 2; half > 0; half /= 2)
        for (index i = 0; i < half; ++i) v[i] += v[i + half];
    return v[0];
#endif
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA
