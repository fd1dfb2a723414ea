// Channels side by side in a register, read from floats or bf16 and written as them; for *.isa.cpp
// files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "base/bf16.h"
#include "sluice/view.h"

namespace sluice::nn::SLUICE_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

typedef float Floats __attribute__((vector_size(register_bytes)));
typedef std::uint32_t Words __attribute__((vector_size(register_bytes)));
typedef std::uint16_t Halves __attribute__((vector_size(register_bytes / 2)));
constexpr index lanes = register_bytes / 4;

[[gnu::always_inline, maybe_unused]] inline Floats load(float const* p) {
    Floats v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
[[gnu::always_inline, maybe_unused]] inline Floats load(Bf16 const* p) {
    Halves h;
    std::memcpy(&h, p, sizeof h);
    return (Floats)(__builtin_convertvector(h, Words) << 16);
}

[[gnu::always_inline, maybe_unused]] inline void save(Floats const& v, float* p) {
    std::memcpy(p, &v, sizeof v);
}
/// As Bf16::of() rounds.
[[gnu::always_inline, maybe_unused]] inline void save(Floats const& v, Bf16* p) {
    Words const u = (Words)v;
    Words const nearest = u + 0x7fff + (u >> 16 & 1);
    Words const bits = v == v ? nearest : u | 0x400000;
    Halves const h = __builtin_convertvector(bits >> 16, Halves);
    std::memcpy(static_cast<void*>(p), &h, sizeof h);
}

/// a * b + c, rounded once where the instruction set can.
[[gnu::always_inline, maybe_unused]] inline Floats fused(Floats const& a, Floats const& b,
                                                         Floats const& c) {
#if defined(__AVX512F__)
    return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
    return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}
[[gnu::always_inline, maybe_unused]] inline Floats fused(float a, Floats const& b,
                                                         Floats const& c) {
    return fused(Floats{} + a, b, c);
}

/// The first n of a register's numbers; zeros follow.
template <class T>
[[gnu::always_inline]] inline Floats load_some(T const* p, index n) {
    T all[lanes] = {};
    std::memcpy(static_cast<void*>(all), p, static_cast<std::size_t>(n) * sizeof(T));
    return load(all);
}
template <class T>
[[gnu::always_inline]] inline void save_some(Floats const& v, T* p, index n) {
    T all[lanes];
    save(v, all);
    std::memcpy(static_cast<void*>(p), all, static_cast<std::size_t>(n) * sizeof(T));
}

/// Calls work(first channel, count) for a register's channels at a time; the count of full ones is
/// a constant.
template <class Work>
[[gnu::always_inline]] inline void each_register(index channels, Work const& work) {
    index c = 0;
    for (; c + lanes <= channels; c += lanes) work(c, lanes);
    if (c < channels) work(c, channels - c);
}

template <class T>
[[gnu::always_inline]] inline Floats load_at(T const* p, index n) {
    return n == lanes ? load(p) : load_some(p, n);
}
template <class T>
[[gnu::always_inline]] inline void save_at(Floats const& v, T* p, index n) {
    n == lanes ? save(v, p) : save_some(v, p, n);
}

/// A number as it is after it was saved as a T.
template <class T>
[[gnu::always_inline]] inline Floats as_stored(Floats const& v) {
    if constexpr (sizeof(T) == sizeof(float)) return v;
    T bits[lanes];
    save(v, bits);
    return load(bits);
}

}  // namespace
}  // namespace sluice::nn::SLUICE_ISA
