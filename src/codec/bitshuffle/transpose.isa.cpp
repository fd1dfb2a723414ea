// The bit transpose, 64 elements at a time, in 64-bit words.
// SPDX-License-Identifier: Apache-2.0
#include "codec/bitshuffle/transpose.h"

#include <cstring>

#include "codec/bitshuffle/words.h"

namespace sluice::codec::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

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

Transpose transpose() {
    return {pack, unpack};
}

}  // namespace sluice::codec::SLUICE_ISA
