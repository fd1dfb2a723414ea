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

typedef std::uint8_t Sixteen __attribute__((vector_size(16)));  // bytes

// The last two of three rounds of interleaving: pairs of rows, two bytes of each in turn, become
// columns, two to a Sixteen.
inline void interleave_pairs(Sixteen const a[4], Sixteen columns[4]) {
    Sixteen b[4];
    for (int i = 0; i < 2; ++i) {
        Sixteen const x = a[2 * i], y = a[2 * i + 1];
        b[i] =
            __builtin_shufflevector(x, y, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
        b[i + 2] = __builtin_shufflevector(x, y, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14,
                                           15, 30, 31);
    }
    for (int i = 0; i < 2; ++i) {
        Sixteen const x = b[2 * i], y = b[2 * i + 1];
        columns[2 * i] =
            __builtin_shufflevector(x, y, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        columns[2 * i + 1] = __builtin_shufflevector(x, y, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14,
                                                     15, 28, 29, 30, 31);
    }
}

// Rows and columns of the 8x8 byte matrix whose rows are the eight words change places.
inline Words transpose_bytes(Words x) {
    Sixteen rows[4], columns[4];
    std::memcpy(rows, &x, sizeof rows);
    for (Sixteen& r : rows)
        r = __builtin_shufflevector(r, r, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    interleave_pairs(rows, columns);
    std::memcpy(&x, columns, sizeof columns);
    return x;
}

inline Words load(std::byte const* p) {
    Words x;
    std::memcpy(&x, p, sizeof x);
    return x;
}

}  // namespace
}  // namespace sluice::SLUICE_ISA
