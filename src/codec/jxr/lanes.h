// Eight numbers worked on at once; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sluice/view.h"

namespace sluice::codec::jxr::SLUICE_ISA {
namespace {

// Sums wrap around, as damaged files may have any coefficients, and so they are unsigned.
typedef std::uint32_t Lanes __attribute__((vector_size(32)));
typedef std::int32_t SignedLanes __attribute__((vector_size(32)));
constexpr index lanes = 8;

// For numbers that are only added and shifted: a whole vector of the instruction set.
#if defined(__AVX512F__)
typedef std::uint32_t Wide __attribute__((vector_size(64)));
typedef std::int32_t SignedWide __attribute__((vector_size(64)));
#else
typedef Lanes Wide;
#endif
constexpr index wide = sizeof(Wide) / sizeof(std::uint32_t);

SLUICE_HD Lanes shift_right(Lanes x, int by) {
    return (Lanes)((SignedLanes)x >> by);
}
#if defined(__AVX512F__)
SLUICE_HD Wide shift_right(Wide x, int by) {
    return (Wide)((SignedWide)x >> by);
}
#endif
SLUICE_HD std::uint32_t shift_right(std::uint32_t x, int by) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> by);
}

SLUICE_HD Lanes clipped(Lanes x, std::int32_t most) {
    SignedLanes s = (SignedLanes)x;
    s &= s > 0;
    SignedLanes const above = s > most;
    return (Lanes)((s & ~above) | (most & above));
}

template <class T>
SLUICE_HD T load(std::int32_t const* p) {
    T x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}
template <class T>
SLUICE_HD void store(std::int32_t* p, T x) {
    __builtin_memcpy(p, &x, sizeof x);
}

}  // namespace
}  // namespace sluice::codec::jxr::SLUICE_ISA
