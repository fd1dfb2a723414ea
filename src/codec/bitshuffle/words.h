// Transposes of 8x8 bits and 8x8 bytes in eight 64-bit words; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sluice::SLUICE_ISA {
namespace {

using Word = std::uint64_t;
typedef Word Words __attribute__((vector_size(64)));  // eight words, whatever the register width

// Rows and columns of the 8x8 bit matrix in each word change places (Warren, Hacker's Delight 7-3).
inline Words transpose_bits(Words x) {
    Words t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL;
    return x ^ t ^ (t << 28);
}

// The same for the 8x8 byte matrix whose rows are the eight words.
inline Words transpose_bytes(Words x) {
    Words const low1 = {0x00FF00FF00FF00FFULL, 0, 0x00FF00FF00FF00FFULL, 0,
                        0x00FF00FF00FF00FFULL, 0, 0x00FF00FF00FF00FFULL, 0};
    Words a = __builtin_shufflevector(x, x, 0, 0, 2, 2, 4, 4, 6, 6), b = __builtin_shufflevector(x, x, 1, 1, 3, 3, 5, 5, 7, 7);
    Words const high1 = {0, ~0ULL, 0, ~0ULL, 0, ~0ULL, 0, ~0ULL};
    x = ((a & low1) | ((b << 8) & ~low1 & ~high1)) |
        (high1 & (((a >> 8) & 0x00FF00FF00FF00FFULL) | (b & 0xFF00FF00FF00FF00ULL)));
    Words const high2 = {0, 0, ~0ULL, ~0ULL, 0, 0, ~0ULL, ~0ULL};
    a = __builtin_shufflevector(x, x, 0, 1, 0, 1, 4, 5, 4, 5), b = __builtin_shufflevector(x, x, 2, 3, 2, 3, 6, 7, 6, 7);
    x = (~high2 & ((a & 0x0000FFFF0000FFFFULL) | ((b << 16) & 0xFFFF0000FFFF0000ULL))) |
        (high2 & (((a >> 16) & 0x0000FFFF0000FFFFULL) | (b & 0xFFFF0000FFFF0000ULL)));
    Words const high4 = {0, 0, 0, 0, ~0ULL, ~0ULL, ~0ULL, ~0ULL};
    a = __builtin_shufflevector(x, x, 0, 1, 2, 3, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7, 4, 5, 6, 7);
    return (~high4 & ((a & 0x00000000FFFFFFFFULL) | (b << 32))) |
           (high4 & ((a >> 32) | (b & 0xFFFFFFFF00000000ULL)));
}

inline Words load(std::byte const* p) {
    Words x;
    std::memcpy(&x, p, sizeof x);
    return x;
}

}  // namespace
}  // namespace sluice::SLUICE_ISA
