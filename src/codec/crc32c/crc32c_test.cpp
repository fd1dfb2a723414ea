// CRC-32C against the check value of its definition.
// SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::codec {
namespace {

TEST(Crc32c, OfTheTestVector) {
    std::string const text = "123456789";
    EXPECT_EQ(crc32c(std::as_bytes(std::span(text))), 0xe3069283U);
}

// Slices of eight, what is left of them, and each alone: RFC 3720, B.4, and one bit after the
// other.
TEST(Crc32c, OfEveryLengthIsThatOfTheDefinition) {
    std::vector<std::byte> bytes(32);
    EXPECT_EQ(crc32c(bytes), 0x8a9136aaU);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    EXPECT_EQ(crc32c(bytes), 0x46dd794eU);
    for (std::size_t n = 0; n <= bytes.size(); ++n) {
        std::uint32_t c = 0xffffffffU;
        for (std::size_t bit = 0; bit < 8 * n; ++bit) {
            std::uint32_t const in = std::to_integer<std::uint32_t>(bytes[bit / 8]) >> bit % 8 & 1U;
            c = (c >> 1) ^ (((c ^ in) & 1U) != 0 ? 0x82f63b78U : 0U);
        }
        EXPECT_EQ(crc32c(Bytes(bytes).first(n)), c ^ 0xffffffffU) << n;
    }
}

TEST(Crc32c, OfNothingIsNought) {
    EXPECT_EQ(crc32c({}), 0U);
}

}  // namespace
}  // namespace sluice::codec
