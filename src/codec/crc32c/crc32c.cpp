// CRC-32C, a byte at a time: a shard index has 16 bytes per chunk of a megabyte.
// SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"

#include <array>

namespace sluice::codec {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < 256; ++n) {
        std::uint32_t c = n;
        for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ (c & 1 ? 0x82f63b78U : 0U);
        table[n] = c;
    }
    return table;
}

constexpr auto table = make_table();

}  // namespace

std::uint32_t crc32c(Bytes bytes) {
    std::uint32_t c = 0xffffffffU;
    for (std::byte const b : bytes)
        c = table[(c ^ static_cast<std::uint32_t>(b)) & 0xffU] ^ (c >> 8);
    return c ^ 0xffffffffU;
}

}  // namespace sluice::codec
