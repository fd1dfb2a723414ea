// Tests of @Name@: there and back, and bytes that are not what they should be.
// SPDX-License-Identifier: Apache-2.0
#include "codec/@name@/@name@.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::codec {
namespace {

std::vector<std::byte> sample(std::size_t size) {
    std::vector<std::byte> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<std::byte>(i * i / 97);
    return values;
}

TEST(@Name@, ComesBackAsItWas) {
    for (std::size_t size : {0U, 1U, 2U, 255U, 256U, 1000U}) {
        auto const values = sample(size);
        std::vector<std::byte> out(size);
        ASSERT_TRUE(decode_@name@(encode_@name@(values), out)) << size;
        EXPECT_EQ(out, values);
    }
}

TEST(@Name@, RefusesEveryTruncation) {
    auto const encoded = encode_@name@(sample(300));
    std::vector<std::byte> out(300);
    for (std::size_t n = 0; n < encoded.size(); ++n)
        EXPECT_FALSE(decode_@name@(Bytes(encoded).first(n), out)) << n;
}

TEST(@Name@, RefusesAnotherSize) {
    auto const encoded = encode_@name@(sample(300));
    for (std::size_t size : {0U, 299U, 301U}) {
        std::vector<std::byte> out(size);
        EXPECT_FALSE(decode_@name@(encoded, out)) << size;
    }
}

}  // namespace
}  // namespace sluice::codec
