// MD5: the vectors of RFC 1321, and lengths around a block.
// SPDX-License-Identifier: Apache-2.0
#include "codec/md5/md5.h"

#include <gtest/gtest.h>

namespace sluice::codec {
namespace {

std::string of(std::string const& text) {
    return md5(std::as_bytes(std::span(text)));
}

TEST(Md5, TheVectorsOfRfc1321) {
    EXPECT_EQ(of(""), "d41d8cd98f00b204e9800998ecf8427e");
    EXPECT_EQ(of("a"), "0cc175b9c0f1b6a831c399e269772661");
    EXPECT_EQ(of("abc"), "900150983cd24fb0d6963f7d28e17f72");
    EXPECT_EQ(of("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
    EXPECT_EQ(of("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
    EXPECT_EQ(of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
              "d174ab98d277d9f5a5611c2c9f419d9f");
    EXPECT_EQ(of("1234567890123456789012345678901234567890123456789012345678901234567890123456789"
                 "0"),
              "57edf4a22be3c955ac49da2e2107b67a");
}

// Of other programs: hashlib.md5(b"x" * n) of Python.
TEST(Md5, LengthsAroundABlock) {
    EXPECT_EQ(of(std::string(55, 'x')), "04364420e25c512fd958a70738aa8f72");
    EXPECT_EQ(of(std::string(56, 'x')), "668a72d5ba17f08e62dabcafad6db14b");
    EXPECT_EQ(of(std::string(64, 'x')), "c1bb4f81d892b2d57947682aeb252456");
    EXPECT_EQ(of(std::string(3300, 'x')), "6e69ada2d33f8ce30cffd6243f23e265");
}

}  // namespace
}  // namespace sluice::codec
