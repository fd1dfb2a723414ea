// A cache line as a vector, and its store past the caches; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "sluice/view.h"

namespace sluice::SLUICE_ISA {
namespace {

typedef std::uint8_t Line __attribute__((vector_size(64)));
constexpr index line_bytes = 64;

/// Bytes up to the next line.
[[maybe_unused]] inline index before_line(std::byte const* p) {
    return static_cast<index>(-reinterpret_cast<std::uintptr_t>(p) % line_bytes);
}

/// `to` is the begin of a line.
[[maybe_unused]] inline void store_past_caches(Line const& line, std::byte* to) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)line);
#elif defined(__AVX__)
    __m256i half[2];
    std::memcpy(half, &line, sizeof half);
    for (int i = 0; i < 2; ++i) _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + i, half[i]);
#elif defined(__SSE2__)
    __m128i part[4];
    std::memcpy(part, &line, sizeof part);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, part[i]);
#else
    std::memcpy(to, &line, sizeof line);
#endif
}

}  // namespace
}  // namespace sluice::SLUICE_ISA
