// Sizes that zstd frames say, and bytes that are not frames.
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

TEST(Zstd, AFrameAfterADamagedOneIsRead) {
    std::vector<std::byte> bytes(70000), frame;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * i >> 7);
    zstd_compress(bytes, frame);
    std::vector<std::byte> damaged = frame, out(bytes.size());
    for (std::size_t i = damaged.size() / 2; i < damaged.size(); ++i) damaged[i] ^= std::byte{0x5a};
    EXPECT_EQ(zstd_decompress(damaged, out).error().code, Code::corrupt);
    EXPECT_EQ(zstd_decompress(Bytes(frame).first(frame.size() / 2), out).error().code,
              Code::corrupt);
    ASSERT_TRUE(zstd_decompress(frame, out));
    EXPECT_EQ(out, bytes);
}

}  // namespace
}  // namespace sluice::codec
