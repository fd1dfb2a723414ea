// The arithmetic of benchmarks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/bench_rules.h"

#include <gtest/gtest.h>

namespace sluice::slide {
namespace {

TEST(BenchRules, Classes) {
    EXPECT_EQ(class_of(101e6), "fast");
    EXPECT_EQ(class_of(100e6), "moderate");
    EXPECT_EQ(class_of(20e6), "moderate");
    EXPECT_EQ(class_of(19e6), "slow");
    EXPECT_EQ(class_of(0), "slow");
}

Bytes bytes_of(std::vector<std::uint8_t> const& v) {
    return std::as_bytes(std::span(v));
}

TEST(BenchRules, ChecksumSeesEveryByteAndItsPlace) {
    EXPECT_EQ(checksum({}), 0u);
    std::vector<std::uint8_t> v(19, 0);
    v[0] = 5;
    v[8] = 1;
    v[18] = 2;
    EXPECT_EQ(checksum(bytes_of(v)), 5u + 3 * 1 + 5 * (std::uint64_t{2} << 16));
    std::uint64_t const before = checksum(bytes_of(v));
    for (std::uint8_t& byte : v) {
        byte ^= 0x40;
        EXPECT_NE(checksum(bytes_of(v)), before);
        byte ^= 0x40;
    }
    std::swap(v[0], v[8]);
    EXPECT_NE(checksum(bytes_of(v)), before);
}

TEST(BenchRules, RecommendsTheSimplestOfTheFast) {
    EXPECT_EQ(recommended({}), -1);
    EXPECT_EQ(recommended({{"a", "", 2.0, 0}, {"b", "", 1.0, 3}}), 1);
    EXPECT_EQ(recommended({{"a", "", 1.05, 0}, {"b", "", 1.0, 3}}), 0);
    EXPECT_EQ(recommended({{"a", "", 1.05, 1}, {"b", "", 1.0, 1}}), 1);
}

TEST(BenchRules, SquaresLieInside) {
    Rect const area{-100, 50, 1000, 700};
    std::vector<Rect> const squares = random_squares(area, 512, 100);
    ASSERT_EQ(squares.size(), 100u);
    index most = 0;
    for (Rect const& r : squares) {
        EXPECT_EQ(r.width, 512);
        EXPECT_EQ(r.height, 512);
        EXPECT_GE(r.x, area.x);
        EXPECT_GE(r.y, area.y);
        EXPECT_LE(r.x + r.width, area.x + area.width);
        EXPECT_LE(r.y + r.height, area.y + area.height);
        most = std::max(most, r.x);
    }
    EXPECT_GT(most, area.x + 300);
    EXPECT_EQ(random_squares(area, 512, 3)[2], squares[2]);
    // A slide that is smaller than the square is read whole.
    EXPECT_EQ(random_squares({5, 6, 30, 40}, 512, 1)[0], (Rect{5, 6, 30, 40}));
}

}  // namespace
}  // namespace sluice::slide
