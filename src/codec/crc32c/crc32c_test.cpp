// CRC-32C against the check value of its definition.
// SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace sluice::codec {
namespace {

TEST(Crc32c, OfTheTestVector) {
    std::string const text = "123456789";
    EXPECT_EQ(crc32c(std::as_bytes(std::span(text))), 0xe3069283U);
}

std::uint32_t by_definition(Bytes bytes) {
    std::uint32_t c = 0xffffffffU;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        std::uint32_t const in = std::to_integer<std::uint32_t>(bytes[bit / 8]) >> bit % 8 & 1U;
        c = (c >> 1) ^ (((c ^ in) & 1U) != 0 ? 0x82f63b78U : 0U);
    }
    return c ^ 0xffffffffU;
}

// RFC 3720, B.4.
TEST(Crc32c, OfTheVectorsOfTheRfc) {
    std::vector<std::byte> bytes(32);
    EXPECT_EQ(crc32c(bytes), 0x8a9136aaU);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    EXPECT_EQ(crc32c(bytes), 0x46dd794eU);
}

// Stretches side by side, steps of eight, what is left of them, and each alone; from every address.
TEST(Crc32c, OfEveryLengthIsThatOfTheDefinition) {
    std::mt19937 random(1);
    std::vector<std::byte> bytes(20000);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    std::vector<std::size_t> lengths(40);
    std::iota(lengths.begin(), lengths.end(), 0);
    for (std::size_t const stretch : {1024, 3072, 6144, 9216})
        for (std::size_t const more : {0, 1, 7, 8, 9, 1023, 1024, 3071})
            lengths.insert(lengths.end(), {stretch + more, stretch - 1 - more % 1000});
    for (std::size_t const n : lengths) {
        Bytes const some = Bytes(bytes).subspan(n % 9, n);
        EXPECT_EQ(crc32c(some), by_definition(some)) << n;
        EXPECT_EQ(crc32c_by_tables(some), by_definition(some)) << n;
    }
}

TEST(Crc32c, OfNothingIsNought) {
    EXPECT_EQ(crc32c({}), 0U);
}

}  // namespace
}  // namespace sluice::codec
