// Sizes that zstd frames say, and frames that are none.
// SPDX-License-Identifier: Apache-2.0
#include "codec/zstd/zstd.h"

#include <gtest/gtest.h>

namespace sluice::codec {
namespace {

TEST(Zstd, TheSizeOfTheContentComesFromTheHeaderAlone) {
    std::vector<std::byte> frame;
    zstd_compress(std::vector<std::byte>(70000, std::byte{3}), frame);
    auto const whole = zstd_content_size(frame), head = zstd_content_size(Bytes(frame).first(18));
    ASSERT_TRUE(whole && head);
    EXPECT_EQ(*whole, 70000U);
    EXPECT_EQ(*head, 70000U);
}

TEST(Zstd, BytesThatAreNoFrameHaveNoSize) {
    std::vector<std::byte> const zeros(40);
    EXPECT_EQ(zstd_content_size(zeros).error().code, Code::corrupt);
    EXPECT_EQ(zstd_content_size({}).error().code, Code::corrupt);
    // Magic, then a header without a size: window descriptor only.
    std::vector<std::byte> const open{std::byte{0x28}, std::byte{0xb5}, std::byte{0x2f},
                                      std::byte{0xfd}, std::byte{0x00}, std::byte{0x58}};
    EXPECT_EQ(zstd_content_size(open).error().code, Code::unsupported);
}

}  // namespace
}  // namespace sluice::codec
