// The hash against numbers of the reference implementation, in one piece and in several.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/hash64.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::zarr {
namespace {

std::uint64_t of(std::string const& text) {
    return hash64(std::as_bytes(std::span(text)));
}

TEST(Hash64, EqualsTheReferenceImplementation) {
    EXPECT_EQ(of(""), 0xef46db3751d8e999U);
    EXPECT_EQ(of("a"), 0xd24ec4f1a98c6e5bU);
    EXPECT_EQ(of("abc"), 0x44bc2cf5ad770999U);
    EXPECT_EQ(of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1U);
}

TEST(Hash64, PiecesMakeNoDifferenceAndEveryBitDoes) {
    std::string text;
    for (int i = 0; i < 200; ++i) text += static_cast<char>(i * 37 + i / 7);
    for (std::size_t n : {0, 1, 7, 31, 32, 33, 64, 100, 200}) {
        std::string const part = text.substr(0, n);
        for (std::size_t step : {1, 5, 32, 33, 199}) {
            Hash64 h;
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

}  // namespace
}  // namespace sluice::zarr
