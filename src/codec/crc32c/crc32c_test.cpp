// CRC-32C against the check value of its definition.
// SPDX-License-Identifier: Apache-2.0
#include "codec/crc32c/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::codec {
namespace {

TEST(Crc32c, OfTheTestVector) {
    std::string const text = "123456789";
    EXPECT_EQ(crc32c(std::as_bytes(std::span(text))), 0xe3069283U);
}

TEST(Crc32c, OfNothingIsNought) {
    EXPECT_EQ(crc32c({}), 0U);
}

}  // namespace
}  // namespace sluice::codec
