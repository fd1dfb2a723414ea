// Floats side by side in a register, and what the transforms of squares do with them; for
// *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "sluice/view.h"

namespace sluice::fft::SLUICE_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX2__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

typedef float Floats __attribute__((vector_size(register_bytes)));
constexpr index lanes = register_bytes / 4;

[[gnu::always_inline, maybe_unused]] inline Floats load(float const* p) {
    Floats v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
[[gnu::always_inline, maybe_unused]] inline void save(Floats const& v, float* p) {
    std::memcpy(p, &v, sizeof v);
}
[[gnu::always_inline, maybe_unused]] inline Floats all_of(float v) {
    // Less zero and not plus it, which is an instruction: it changes -0.
    return v - Floats{};
}

/// c + a * b, rounded once where the instruction set can.
[[gnu::always_inline, maybe_unused]] inline Floats fused(Floats const& a, Floats const& b,
                                                         Floats const& c) {
#if defined(__AVX512F__)
    return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
    return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return c + a * b;
#endif
}
/// c - a * b
[[gnu::always_inline, maybe_unused]] inline Floats fused_less(Floats const& a, Floats const& b,
                                                              Floats const& c) {
#if defined(__AVX512F__)
    return (Floats)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
    return (Floats)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return c - a * b;
#endif
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA
