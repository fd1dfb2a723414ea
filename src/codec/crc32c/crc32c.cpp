// CRC-32C, eight bytes at a time by eight tables ("slicing by 8").
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

}  // namespace

std::uint32_t crc32c(Bytes bytes) {
    std::uint32_t c = 0xffffffffU;
    std::size_t at = 0;
    for (; at + slices <= bytes.size(); at += slices) {
        std::uint64_t const v = load_le<std::uint64_t>(bytes.data() + at) ^ c;
        c = 0;
        for (std::size_t k = 0; k < slices; ++k)
            c ^= tables[slices - 1 - k][(v >> (8 * k)) & 0xffU];
    }
    for (; at < bytes.size(); ++at)
        c = tables[0][(c ^ static_cast<std::uint32_t>(bytes[at])) & 0xffU] ^ (c >> 8);
    return c ^ 0xffffffffU;
}

}  // namespace sluice::codec
