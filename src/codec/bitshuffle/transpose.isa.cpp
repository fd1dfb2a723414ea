// The bit transpose, 64 elements at a time, in 64-bit words.
// SPDX-License-Identifier: Apache-2.0
#include "codec/bitshuffle/transpose.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "codec/bitshuffle/columns.h"

namespace sluice::codec::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

inline void scatter_byte(std::byte const* in, int j, int bytes, std::byte* values) {
    for (int i = 0; i < 64; ++i) values[i * bytes + j] = in[i];
}

inline Word transpose_word(Word x) {
    Words const one = {x, 0, 0, 0, 0, 0, 0, 0};
    return transpose_bits(one)[0];
}

// `fixed` is the size of an element that the compiler may count on; 0: any, as `any_bytes` says.
template <int fixed>
void pack_as(std::byte const* values, int any_bytes, index n, std::byte* planes, index stride) {
    int const bytes = fixed != 0 ? fixed : any_bytes;
    index i = 0;
    for (; i + 64 <= n; i += 64) {
        for (int j = 0; j < bytes; ++j) {
            std::byte column[64];
            gather_byte(values + i * bytes, bytes, j, column);
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

template <int fixed>
void unpack_as(std::byte const* planes, index stride, int count, int any_bytes, index n,
               std::byte* values) {
    int const bytes = fixed != 0 ? fixed : any_bytes;
    index i = 0;
    constexpr bool together = fixed == 1 || fixed == 2 || fixed == 4;
    for (; i + 64 <= n; i += 64) {
        std::byte columns[together ? fixed : 1][64];
        for (int j = 0; j < bytes; ++j) {
            int const some = std::clamp(count - 8 * j, 0, 8);
            column_of_planes(planes + 8 * j * stride + i / 8, stride, some,
                             columns[together ? j : 0]);
            if (!together) scatter_byte(columns[0], j, bytes, values + i * bytes);
        }
        if constexpr (together) scatter_bytes<fixed>(columns, values + i * bytes);
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
    switch (bytes) {
        case 1:
            return pack_as<1>(values, bytes, n, planes, stride);
        case 2:
            return pack_as<2>(values, bytes, n, planes, stride);
        case 4:
            return pack_as<4>(values, bytes, n, planes, stride);
        case 8:
            return pack_as<8>(values, bytes, n, planes, stride);
        default:
            return pack_as<0>(values, bytes, n, planes, stride);
    }
}

void unpack(std::byte const* planes, index stride, int count, int bytes, index n,
            std::byte* values) {
    switch (bytes) {
        case 1:
            return unpack_as<1>(planes, stride, count, bytes, n, values);
        case 2:
            return unpack_as<2>(planes, stride, count, bytes, n, values);
        case 4:
            return unpack_as<4>(planes, stride, count, bytes, n, values);
        case 8:
            return unpack_as<8>(planes, stride, count, bytes, n, values);
        default:
            return unpack_as<0>(planes, stride, count, bytes, n, values);
    }
}

std::uint32_t swapped(std::uint32_t bits, int bytes) {
    return bytes == 1 ? bits : __builtin_bswap32(bits) >> (8 * (4 - bytes));
}

// The bits that any value has: `all` and `any` are words of values, one over the other.
std::uint32_t any_of(Words all, Word any, Plain values) {
    for (int k = 0; k < 8; ++k) any |= all[k];
    any |= any >> 32;
    if (values.bytes <= 2) any |= any >> 16;
    if (values.bytes == 1) any |= any >> 8;
    auto const bits = static_cast<std::uint32_t>(any & ~Word{0} >> (64 - 8 * values.bytes));
    return values.big_endian ? swapped(bits, values.bytes) : bits;
}

// The last values, of which there are fewer than 64.
template <int bytes>
void pack_last(Plain values, index i, index n, int count, std::byte* planes, index stride) {
    for (; i < n; i += 8)
        for (int p = 0; p < count; ++p) {
            int const j = values.big_endian ? bytes - 1 - p / 8 : p / 8;
            unsigned byte = 0;
            for (int k = 0; k < 8; ++k)
                byte |= (std::to_integer<unsigned>(values.data[(i + k) * bytes + j]) >> (p % 8) & 1)
                        << k;
            planes[p * stride + i / 8] = static_cast<std::byte>(byte);
        }
}

// The lowest `most` planes of byte j of each element. The bits of all of its bytes go to `all`.
template <int bytes, int most>
void pack_column(std::byte const* values, index n, int j, std::byte* planes, index stride,
                 Words& all) {
    for (index i = 0; i + 64 <= n; i += 64, values += 64 * bytes) {
        for (int k = 0; k < bytes; ++k) all |= load(values + 64 * k);
        if constexpr (most > 0) {
            Column const column = Column::of<bytes>(values, j);
#pragma GCC unroll 8
            for (int k = 0; k < most; ++k) {
                Word const w = column.plane(k);
                std::memcpy(planes + k * stride + i / 8, &w, 8);
            }
        }
    }
}

// How many planes there are is known to the compiler: a branch for each would take as long as the
// plane.
template <int bytes, std::size_t... most>
constexpr std::array<decltype(&pack_column<bytes, 0>), sizeof...(most)> pack_columns(
    std::index_sequence<most...> /*counts*/) {
    return {pack_column<bytes, static_cast<int>(most)>...};
}

template <int bytes>
std::uint32_t pack_lowest_as(Plain values, index n, int count, std::byte* planes, index stride) {
    static constexpr auto columns = pack_columns<bytes>(std::make_index_sequence<9>());
    Words all = {};
    int j = 0;
    do {
        int const most = count - 8 * j < 8 ? count - 8 * j : 8;
        columns[static_cast<std::size_t>(most)](values.data, n,
                                                values.big_endian ? bytes - 1 - j : j,
                                                planes + 8 * j * stride, stride, all);
    } while (8 * ++j < count);
    index const whole = n / 64 * 64;
    Word any = 0;
    for (index at = whole * bytes; at < n * bytes; at += 8) {
        Word word;
        std::memcpy(&word, values.data + at, 8);
        any |= word;
    }
    pack_last<bytes>(values, whole, n, count, planes, stride);
    return any_of(all, any, values);
}

std::uint32_t pack_lowest(Plain values, index n, int count, std::byte* planes, index stride) {
    switch (values.bytes) {
        case 1:
            return pack_lowest_as<1>(values, n, count, planes, stride);
        case 2:
            return pack_lowest_as<2>(values, n, count, planes, stride);
        default:
            return pack_lowest_as<4>(values, n, count, planes, stride);
    }
}

}  // namespace

Transpose transpose() {
    return {pack, unpack, pack_lowest};
}

}  // namespace sluice::codec::SLUICE_ISA
