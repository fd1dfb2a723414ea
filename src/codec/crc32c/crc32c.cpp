// CRC-32C: by the processor's instruction, else by tables ("slicing by 8").
// SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"

#include <array>

#include "base/bytes.h"

namespace sluice::codec {
namespace {

constexpr std::size_t slices = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, slices>;

// Table k: what a byte does to the remainder when k more bytes of nought follow it.
constexpr Tables make_tables() {
    Tables t{};
    for (std::uint32_t n = 0; n < 256; ++n) {
        std::uint32_t c = n;
        for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ (c & 1 ? 0x82f63b78U : 0U);
        t[0][n] = c;
    }
    for (std::size_t k = 1; k < slices; ++k)
        for (std::size_t n = 0; n < 256; ++n)
            t[k][n] = (t[k - 1][n] >> 8) ^ t[0][t[k - 1][n] & 0xffU];
    return t;
}

constexpr Tables tables = make_tables();

#ifdef SLUICE_X86

// Each instruction waits three cycles for the one before: three stretches take their turns.
constexpr std::size_t lanes = 3, lane = 1024;
using Shift = std::array<std::array<std::uint32_t, 256>, 4>;

// What `lane` bytes of nought do to each byte of a remainder.
constexpr Shift make_shift() {
    Shift t{};
    for (std::size_t bit = 0; bit < 32; ++bit) {
        std::uint32_t c = std::uint32_t{1} << bit;
        for (std::size_t n = 0; n < lane; ++n) c = tables[0][c & 0xffU] ^ (c >> 8);
        for (std::size_t byte = 0; byte < 256; ++byte)
            if ((byte >> bit % 8 & 1U) != 0) t[bit / 8][byte] ^= c;
    }
    return t;
}

constexpr Shift shift = make_shift();

std::uint64_t shifted(std::uint64_t c) {
    return shift[0][c & 0xffU] ^ shift[1][c >> 8 & 0xffU] ^ shift[2][c >> 16 & 0xffU] ^
           shift[3][c >> 24 & 0xffU];
}

// Every processor for which kernels are compiled has SSE 4.2. Takes whole steps of the bytes off.
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t remainder,
                                                               Bytes& bytes) {
    std::uint64_t c = remainder;
    for (; bytes.size() >= lanes * lane; bytes = bytes.subspan(lanes * lane)) {
        std::uint64_t second = 0, third = 0;
        for (std::size_t at = 0; at < lane; at += 8) {
            c = __builtin_ia32_crc32di(c, load_le<std::uint64_t>(bytes.data() + at));
            second =
                __builtin_ia32_crc32di(second, load_le<std::uint64_t>(bytes.data() + lane + at));
            third =
                __builtin_ia32_crc32di(third, load_le<std::uint64_t>(bytes.data() + 2 * lane + at));
        }
        c = shifted(shifted(c) ^ second) ^ third;
    }
    for (; bytes.size() >= 8; bytes = bytes.subspan(8))
        c = __builtin_ia32_crc32di(c, load_le<std::uint64_t>(bytes.data()));
    return static_cast<std::uint32_t>(c);
}

#endif

std::uint32_t by_tables(std::uint32_t c, Bytes bytes) {
    std::size_t at = 0;
    for (; at + slices <= bytes.size(); at += slices) {
        std::uint64_t const v = load_le<std::uint64_t>(bytes.data() + at) ^ c;
        c = 0;
        for (std::size_t k = 0; k < slices; ++k)
            c ^= tables[slices - 1 - k][(v >> (8 * k)) & 0xffU];
    }
    for (; at < bytes.size(); ++at)
        c = tables[0][(c ^ static_cast<std::uint32_t>(bytes[at])) & 0xffU] ^ (c >> 8);
    return c;
}

constexpr std::uint32_t all_ones = 0xffffffffU;

}  // namespace

std::uint32_t crc32c(Bytes bytes) {
    std::uint32_t c = all_ones;
#ifdef SLUICE_X86
    c = by_instruction(c, bytes);
#endif
    return by_tables(c, bytes) ^ all_ones;
}

std::uint32_t crc32c_by_tables(Bytes bytes) {
    return by_tables(all_ones, bytes) ^ all_ones;
}

}  // namespace sluice::codec
