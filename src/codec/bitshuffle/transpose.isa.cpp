// The bit transpose, 64 elements at a time, in 64-bit words.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "codec/bitshuffle/transpose.h"

namespace sluice::codec::SLUICE_ISA {
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
    Words const even = {0, 0, 2, 2, 4, 4, 6, 6}, odd = {1, 1, 3, 3, 5, 5, 7, 7};
    Words const low1 = {0x00FF00FF00FF00FFULL, 0, 0x00FF00FF00FF00FFULL, 0,
                        0x00FF00FF00FF00FFULL, 0, 0x00FF00FF00FF00FFULL, 0};
    Words a = __builtin_shuffle(x, even), b = __builtin_shuffle(x, odd);
    Words const high1 = {0, ~0ULL, 0, ~0ULL, 0, ~0ULL, 0, ~0ULL};
    x = ((a & low1) | ((b << 8) & ~low1 & ~high1)) |
        (high1 & (((a >> 8) & 0x00FF00FF00FF00FFULL) | (b & 0xFF00FF00FF00FF00ULL)));
    Words const even2 = {0, 1, 0, 1, 4, 5, 4, 5}, odd2 = {2, 3, 2, 3, 6, 7, 6, 7};
    Words const high2 = {0, 0, ~0ULL, ~0ULL, 0, 0, ~0ULL, ~0ULL};
    a = __builtin_shuffle(x, even2), b = __builtin_shuffle(x, odd2);
    x = (~high2 & ((a & 0x0000FFFF0000FFFFULL) | ((b << 16) & 0xFFFF0000FFFF0000ULL))) |
        (high2 & (((a >> 16) & 0x0000FFFF0000FFFFULL) | (b & 0xFFFF0000FFFF0000ULL)));
    Words const even4 = {0, 1, 2, 3, 0, 1, 2, 3}, odd4 = {4, 5, 6, 7, 4, 5, 6, 7};
    Words const high4 = {0, 0, 0, 0, ~0ULL, ~0ULL, ~0ULL, ~0ULL};
    a = __builtin_shuffle(x, even4), b = __builtin_shuffle(x, odd4);
    return (~high4 & ((a & 0x00000000FFFFFFFFULL) | (b << 32))) |
           (high4 & ((a >> 32) | (b & 0xFFFFFFFF00000000ULL)));
}

inline Words load(std::byte const* p) {
    Words x;
    std::memcpy(&x, p, sizeof x);
    return x;
}

// Byte j of 64 elements, one after the other.
template <int bytes>
inline void gather_byte(std::byte const* values, int j, std::byte* out) {
    for (int i = 0; i < 64; ++i) out[i] = values[i * bytes + j];
}

template <int bytes>
inline void scatter_byte(std::byte const* in, int j, std::byte* values) {
    for (int i = 0; i < 64; ++i) values[i * bytes + j] = in[i];
}

inline Word transpose_word(Word x) {
    Words const one = {x, 0, 0, 0, 0, 0, 0, 0};
    return transpose_bits(one)[0];
}

template <int bytes>
void pack_as(std::byte const* values, index n, std::byte* planes, index stride) {
    index i = 0;
    for (; i + 64 <= n; i += 64) {
        for (int j = 0; j < bytes; ++j) {
            std::byte column[64];
            gather_byte<bytes>(values + i * bytes, j, column);
            Words const x = transpose_bytes(transpose_bits(load(column)));
            for (int k = 0; k < 8; ++k) {
                Word const w = x[k];
                std::memcpy(planes + (8 * j + k) * stride + i / 8, &w, 8);
            }
        }
    }
    for (; i < n; i += 8) {
        for (int j = 0; j < bytes; ++j) {
            Word x = 0;
            for (int k = 0; k < 8; ++k)
                x |= static_cast<Word>(values[(i + k) * bytes + j]) << (8 * k);
            x = transpose_word(x);
            for (int k = 0; k < 8; ++k)
                planes[(8 * j + k) * stride + i / 8] = static_cast<std::byte>(x >> (8 * k));
        }
    }
}

template <int bytes>
void unpack_as(std::byte const* planes, index stride, int count, index n, std::byte* values) {
    index i = 0;
    for (; i + 64 <= n; i += 64) {
        for (int j = 0; j < bytes; ++j) {
            Words x = {};
            for (int k = 0; k < 8 && 8 * j + k < count; ++k) {
                Word w;
                std::memcpy(&w, planes + (8 * j + k) * stride + i / 8, 8);
                x[k] = w;
            }
            Words const y = transpose_bits(transpose_bytes(x));
            std::byte column[64];
            std::memcpy(column, &y, 64);
            scatter_byte<bytes>(column, j, values + i * bytes);
        }
    }
    for (; i < n; i += 8) {
        for (int j = 0; j < bytes; ++j) {
            Word x = 0;
            for (int k = 0; k < 8 && 8 * j + k < count; ++k)
                x |= static_cast<Word>(planes[(8 * j + k) * stride + i / 8]) << (8 * k);
            x = transpose_word(x);
            for (int k = 0; k < 8; ++k)
                values[(i + k) * bytes + j] = static_cast<std::byte>(x >> (8 * k));
        }
    }
}

void pack(std::byte const* values, int bytes, index n, std::byte* planes, index stride) {
    if (bytes == 1) pack_as<1>(values, n, planes, stride);
    if (bytes == 2) pack_as<2>(values, n, planes, stride);
    if (bytes == 4) pack_as<4>(values, n, planes, stride);
}

void unpack(std::byte const* planes, index stride, int count, int bytes, index n,
            std::byte* values) {
    if (bytes == 1) unpack_as<1>(planes, stride, count, n, values);
    if (bytes == 2) unpack_as<2>(planes, stride, count, n, values);
    if (bytes == 4) unpack_as<4>(planes, stride, count, n, values);
}

}  // namespace

Transpose transpose() { return {pack, unpack}; }

}  // namespace sluice::codec::SLUICE_ISA
