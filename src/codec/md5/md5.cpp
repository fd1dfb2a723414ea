// MD5 after RFC 1321.
// SPDX-License-Identifier: Apache-2.0
#include "codec/md5/md5.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

namespace sluice::codec {
namespace {

using State = std::array<std::uint32_t, 4>;

// Of round i: the integer part of 2^32 |sin(i + 1)|.
constexpr std::array<std::uint32_t, 64> sines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

// Sixteen rounds: which word, what of b, c and d, and by how many bits.
template <int part>
void rounds(std::array<std::uint32_t, 16> const& words, State& s) {
    constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    constexpr int step[4] = {1, 5, 3, 7}, from[4] = {0, 1, 5, 0};
    auto& [a, b, c, d] = s;
    for (int i = 0; i < 16; ++i) {
        std::uint32_t f = 0;
        if constexpr (part == 0) f = d ^ (b & (c ^ d));
        if constexpr (part == 1) f = c ^ (d & (b ^ c));
        if constexpr (part == 2) f = b ^ c ^ d;
        if constexpr (part == 3) f = c ^ (b | ~d);
        auto const word = static_cast<std::size_t>(step[part] * i + from[part]) % 16;
        f += a + sines[std::size_t{16} * part + static_cast<std::size_t>(i)] + words[word];
        a = d, d = c, c = b;
        b += std::rotl(f, turns[part][i % 4]);
    }
}

void take_block(std::byte const* block, State& state) {
    std::array<std::uint32_t, 16> words;
    std::memcpy(words.data(), block, sizeof words);
    State s = state;
    rounds<0>(words, s);
    rounds<1>(words, s);
    rounds<2>(words, s);
    rounds<3>(words, s);
    for (std::size_t i = 0; i < 4; ++i) state[i] += s[i];
}

}  // namespace

std::string md5(Bytes bytes) {
    static_assert(std::endian::native == std::endian::little);
    State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    std::size_t at = 0;
    for (; at + 64 <= bytes.size(); at += 64) take_block(bytes.data() + at, state);
    // A bit, zeros, and the length in bits end the last block.
    std::array<std::byte, 128> last{};
    std::size_t const left = bytes.size() - at, size = left < 56 ? 64 : 128;
    if (left > 0) std::memcpy(last.data(), bytes.data() + at, left);
    last[left] = std::byte{0x80};
    std::uint64_t const bits = std::uint64_t{bytes.size()} * 8;
    std::memcpy(last.data() + size - 8, &bits, sizeof bits);
    for (std::size_t i = 0; i < size; i += 64) take_block(last.data() + i, state);
    std::string text;
    for (std::uint32_t const word : state)
        for (int i = 0; i < 4; ++i) text += fmt::format("{:02x}", word >> (8 * i) & 0xff);
    return text;
}

}  // namespace sluice::codec
