// The hashes against numbers of the reference implementations, in one piece and in several.
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice {
namespace {

std::uint64_t of(std::string const& text) {
    return xxh64(std::as_bytes(std::span(text)));
}

TEST(Xxh64, EqualsTheReferenceImplementation) {
    EXPECT_EQ(of(""), 0xef46db3751d8e999U);
    EXPECT_EQ(of("a"), 0xd24ec4f1a98c6e5bU);
    EXPECT_EQ(of("abc"), 0x44bc2cf5ad770999U);
    EXPECT_EQ(of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1U);
}

TEST(Xxh64, PiecesMakeNoDifferenceAndEveryBitDoes) {
    std::string text;
    for (int i = 0; i < 200; ++i) text += static_cast<char>(i * 37 + i / 7);
    for (std::size_t n : {0, 1, 7, 31, 32, 33, 64, 100, 200}) {
        std::string const part = text.substr(0, n);
        for (std::size_t step : {1, 5, 32, 33, 199}) {
            Xxh64 h;
            for (std::size_t at = 0; at < n; at += step)
                h.update(std::as_bytes(std::span(part)).subspan(at, std::min(step, n - at)));
            EXPECT_EQ(h.digest(), of(part)) << n << " in pieces of " << step;
        }
    }
    std::uint64_t const whole = of(text);
    for (std::size_t i = 0; i < text.size() * 8; ++i) {
        std::string other = text;
        other[i / 8] = static_cast<char>(other[i / 8] ^ (1 << (i % 8)));
        EXPECT_NE(of(other), whole) << "bit " << i;
    }
}

std::uint64_t fnv_of(std::string const& text) {
    Fnv1a h;
    h.update(std::as_bytes(std::span(text)));
    return h.digest();
}

// From draft-eastlake-fnv, "Test Values".
TEST(Fnv1a, EqualsTheReferenceImplementation) {
    EXPECT_EQ(fnv_of(""), 0xcbf29ce484222325U);
    EXPECT_EQ(fnv_of("a"), 0xaf63dc4c8601ec8cU);
    EXPECT_EQ(fnv_of("foobar"), 0x85944171f73967e8U);
}

// Checkpoints hold these: they never change.
TEST(SplitmixDigest, IsWhatCheckpointsHold) {
    auto const of = [](std::string const& text, std::uint64_t before = 0) {
        return splitmix_digest(std::as_bytes(std::span(text)), before);
    };
    EXPECT_EQ(of(""), 0xe220a8397b1dcdafU);
    EXPECT_EQ(of("a"), 0x7171fd973fbae05cU);
    EXPECT_EQ(of("a whole word and some bytes", of("a")), 0xd5d1359b9e795f91U);
}

}  // namespace
}  // namespace sluice
