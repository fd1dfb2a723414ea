// Raw counters of Medipix3 chips: a frame made by hand, a plain twin, and what cannot be.
// SPDX-License-Identifier: Apache-2.0
#include "codec/medipix/medipix.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace sluice::codec {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> out;
    for (int const v : values) out.push_back(static_cast<std::byte>(v));
    return out;
}

TEST(Medipix, GroupsOf64BitsStandTheWrongWayRound) {
    std::vector<std::byte> out(64);
    // One bit: the last byte has the first eight pixels, the first of them in bit 0.
    ASSERT_TRUE(decode_medipix(bytes({0x80, 0, 0, 0, 0, 0, 0, 0x05}), {.depth = 1}, 1, 64, out));
    for (std::size_t i = 0; i < 64; ++i)
        EXPECT_EQ(std::to_integer<int>(out[i]), i == 0 || i == 2 || i == 63) << i;
    out.resize(8);
    ASSERT_TRUE(decode_medipix(bytes({8, 7, 6, 5, 4, 3, 2, 1}), {.depth = 6}, 1, 8, out));
    EXPECT_EQ(out, bytes({1, 2, 3, 4, 5, 6, 7, 8}));
    ASSERT_TRUE(
        decode_medipix(bytes({4, 0x44, 3, 0x33, 2, 0x22, 1, 0x11}), {.depth = 12}, 1, 4, out));
    EXPECT_EQ(out, bytes({0x11, 1, 0x22, 2, 0x33, 3, 0x44, 4}));
    // 24 bits: the upper twelve of all pixels, then the lower ones.
    std::vector<std::byte> deep(16);
    ASSERT_TRUE(decode_medipix(bytes({0, 0, 0, 0, 0, 0, 0x0a, 0xbc,  //
                                      0, 1, 0, 0, 0, 0, 0x0d, 0xef}),
                               {.depth = 24}, 1, 4, deep));
    EXPECT_EQ(deep, bytes({0xef, 0xcd, 0xab, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
}

// The rule of four chips, pixel by pixel: where the frame has the counter of a pixel.
std::size_t place(index row, index col, index rows, index cols) {
    index const half = cols / 2;
    bool const below = row >= rows / 2, right = col >= half;
    index r = row, c = right ? col - half : col;
    if (below) r = rows - 1 - row, c = half - 1 - c;
    index const chip = (below ? 2 : 0) + (right ? 1 : 0);
    index const at = c / 8 * 8 + 7 - c % 8;
    return static_cast<std::size_t>(r * 4 * half + (3 - chip) * half + at);
}

TEST(Medipix, FourChipsLieAsTheyAreWired) {
    index const rows = 6, cols = 32;
    std::vector<std::byte> raw(static_cast<std::size_t>(rows * cols)), out(raw.size());
    std::mt19937 random(1);
    for (std::byte& b : raw) b = static_cast<std::byte>(random() % 64);
    ASSERT_TRUE(decode_medipix(raw, {.depth = 6, .quad = true}, rows, cols, out));
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c)
            ASSERT_EQ(out[static_cast<std::size_t>(r * cols + c)], raw[place(r, c, rows, cols)])
                << r << " " << c;
}

TEST(Medipix, EveryDepthComesBack) {
    std::mt19937 random(2);
    for (int depth : {1, 6, 12, 24})
        for (bool quad : {false, true}) {
            MedipixRaw const how{.depth = depth, .quad = quad};
            index const rows = 6, cols = 256;
            auto const element = static_cast<std::size_t>(medipix_element_bytes(depth));
            std::vector<std::byte> values(static_cast<std::size_t>(rows * cols) * element);
            for (std::size_t i = 0; i < values.size(); i += element) {
                std::uint32_t const v = static_cast<std::uint32_t>(random()) & ((1U << depth) - 1);
                std::memcpy(values.data() + i, &v, element);
            }
            auto const raw = encode_medipix(values, how, rows, cols);
            EXPECT_EQ(raw.size(), medipix_bytes(how, rows, cols).value());
            std::vector<std::byte> back(values.size());
            ASSERT_TRUE(decode_medipix(raw, how, rows, cols, back));
            EXPECT_EQ(back, values) << depth << " " << quad;
        }
}

TEST(Medipix, CountsAboveTheDepthAreItsLargest) {
    std::vector<std::byte> out(8);
    auto const raw = encode_medipix(bytes({255, 1, 0, 0, 0, 0, 0, 0}), {.depth = 6}, 1, 8);
    ASSERT_TRUE(decode_medipix(raw, {.depth = 6}, 1, 8, out));
    EXPECT_EQ(out, bytes({63, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(Medipix, WhatCannotBeIsRefused) {
    EXPECT_FALSE(medipix_bytes({.depth = 7}, 4, 64));
    EXPECT_FALSE(medipix_bytes({.depth = 1}, 4, 72));
    EXPECT_FALSE(medipix_bytes({.depth = 12}, 4, 6));
    EXPECT_FALSE(medipix_bytes({.depth = 12, .quad = true}, 3, 64));
    EXPECT_FALSE(medipix_bytes({.depth = 12}, 0, 64));
    std::vector<std::byte> out(8);
    EXPECT_FALSE(decode_medipix(bytes({1, 2, 3}), {.depth = 6}, 1, 8, out));
    EXPECT_FALSE(decode_medipix(bytes({1, 2, 3, 4, 5, 6, 7, 8}), {.depth = 5}, 1, 8, out));
}

}  // namespace
}  // namespace sluice::codec
