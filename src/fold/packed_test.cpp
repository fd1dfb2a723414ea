// Packed parts: they come back as they were, and what is damaged or foreign is refused.
// SPDX-License-Identifier: Apache-2.0
#include "fold/packed.h"

#include <gtest/gtest.h>

#include <limits>

#include "codec/crc32c/crc32c.h"
#include "fold/numbers_test.h"

namespace sluice::fold {
namespace {

using test::List;
using test::Numbers;
using test::Sum;

Numbers const source{.count = 100};

std::vector<std::byte> packed(Range groups = {3, 7}) {
    return pack(source, List{}, fold_part(source, List{}, groups).value());
}

// A checksum that fits, for what stands before it.
std::vector<std::byte> with_checksum(std::vector<std::byte> bytes) {
    bytes.resize(bytes.size() - 4);
    std::uint32_t const sum = codec::crc32c(bytes);
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(sum >> 8 * i & 255));
    return bytes;
}

std::string why_not(std::vector<std::byte> const& bytes, List const& list = {},
                    Numbers const& from = source) {
    auto const part = unpack(from, list, bytes);
    return part ? "" : part.error().message;
}

TEST(Packed, ComesBackAsItWas) {
    for (Range groups : {Range{0, 15}, {3, 7}, {14, 15}, {0, 0}, {5, 5}}) {
        auto const part = fold_part(source, List{}, groups).value();
        auto const again = unpack(source, List{}, pack(source, List{}, part));
        ASSERT_TRUE(again) << again.error().text();
        EXPECT_EQ(again->first_group, groups.first);
        EXPECT_EQ(again->groups, part.groups);
    }
}

TEST(Packed, NumbersTravelByTheirBits) {
    double const odd[] = {-0.0, std::numeric_limits<double>::denorm_min(),
                          -std::numeric_limits<double>::infinity(), std::nan("17")};
    Packer out;
    out.numbers(std::span<double const>(odd));
    out.number<std::uint16_t>(0x1234);
    EXPECT_EQ(out.written().size(), 34u);
    EXPECT_EQ(out.written()[32], std::byte{0x34});  // little-endian
    Unpacker in(out.written());
    auto const back = in.numbers<double>(4).value();
    EXPECT_EQ(std::memcmp(back.data(), odd, sizeof odd), 0);
    EXPECT_EQ(in.number<std::uint16_t>().value(), 0x1234);
    EXPECT_TRUE(in.end());
}

TEST(Packed, TheLayoutStays) {
    // Another process may be another build: these bytes change together with the version.
    auto const bytes = pack(source, Sum{}, Part<Sum>{2, {1.5}});
    std::string hex;
    for (std::byte b : bytes)
        hex += "0123456789abcdef"[static_cast<int>(b) / 16],
            hex += "0123456789abcdef"[static_cast<int>(b) % 16];
    EXPECT_EQ(hex.substr(0, hex.size() - 8),
              "736c756963657074"  // sluicept
              "02000000"
              "03000000"
              "73756d"            // version, name
              "00000000"          // no sizes
              "6400000000000000"  // of 100 items
              "0200000000000000"
              "0300000000000000"  // groups
              "0e00000000000000"
              "1500000000000000"  // items
              "00000000"          // not merged
              "0800000000000000"
              "000000000000f83f");  // bytes, 1.5
}

TEST(Packed, AnAnalysisThatDoesNotMergeExactlyTakesNoMergedPart) {
    auto const bytes = pack(source, Sum{}, Part<Sum>{2, {1.5}, 3});
    auto const part = unpack(source, Sum{}, bytes);
    ASSERT_FALSE(part);
    EXPECT_NE(part.error().message.find("keeps them apart"), std::string::npos);
}

TEST(Packed, EveryTurnedBitIsRefused) {
    std::vector<std::byte> bytes = packed();
    ASSERT_EQ(why_not(bytes), "");
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
        ASSERT_NE(why_not(bytes), "") << "bit " << bit;
        bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    }
}

TEST(Packed, EveryCutIsRefused) {
    std::vector<std::byte> const bytes = packed();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        std::vector<std::byte> cut(bytes.begin(),
                                   bytes.begin() + static_cast<std::ptrdiff_t>(size));
        ASSERT_NE(why_not(cut), "") << size;
        // The checksum alone must not be what finds it.
        ASSERT_TRUE(size <= 12 || why_not(with_checksum(cut)) != "") << size;
    }
    auto longer = bytes;
    longer.resize(longer.size() + 9);
    EXPECT_NE(why_not(with_checksum(longer)).find("left over"), std::string::npos);
}

TEST(Packed, WhatIsForeignIsNamed) {
    auto const bytes = packed();
    EXPECT_NE(why_not(bytes, {.width = 2}).find("sizes 1 (2 is"), std::string::npos);
    auto const of_sum = unpack(source, Sum{}, bytes);
    ASSERT_FALSE(of_sum);
    EXPECT_NE(of_sum.error().message.find("'list' ('sum' is"), std::string::npos);
    EXPECT_NE(why_not(bytes, {}, {.count = 99}).find("100 (99 is"), std::string::npos);
    EXPECT_NE(why_not(bytes, {}, {.count = 100, .per_group = 5}).find("the items 21 to 49"),
              std::string::npos);
    EXPECT_NE(why_not(packed({10, 15}), {}, {.count = 100, .per_group = 10}).find("there are 10"),
              std::string::npos);
}

TEST(Packed, SizesAreCheckedBeforeMemoryIsTaken) {
    // With the checksum set right: the reader must survive without it.
    auto const bytes = packed();
    constexpr std::size_t head = 8 + 4 + 4 + 4;
    for (std::size_t at : {std::size_t{12}, head, head + 8 + 8 * 6, head + 8 + 8 * 7})
        for (int wide : {4, 8}) {
            auto bad = bytes;
            for (int i = 0; i < wide; ++i) bad[at + static_cast<std::size_t>(i)] = std::byte{0x7f};
            EXPECT_NE(why_not(with_checksum(bad)), "") << at;
        }
}

}  // namespace
}  // namespace sluice::fold
