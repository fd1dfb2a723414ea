// Four words at once; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace sluice::planes::SLUICE_ISA {
namespace {

typedef std::uint64_t Four __attribute__((vector_size(32)));  // words of four frames

inline Four load_four(void const* p) {
    Four x;
    std::memcpy(&x, p, sizeof x);
    return x;
}

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA
