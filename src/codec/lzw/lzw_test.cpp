// LZW streams: one of the TIFF specification, those of an encoder written here, and broken ones.
// SPDX-License-Identifier: Apache-2.0
#include "codec/lzw/lzw.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace sluice::codec {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
    std::vector<std::byte> v;
    for (int const x : values) v.push_back(static_cast<std::byte>(x));
    return v;
}

class BitWriter {
  public:
    void put(unsigned code, unsigned width) {
        for (unsigned bit = width; bit-- > 0;) {
            if (count_++ % 8 == 0) bytes_.push_back({});
            bytes_.back() |= static_cast<std::byte>((code >> bit & 1) << (7 - (count_ - 1) % 8));
        }
    }
    std::vector<std::byte> const& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
    std::size_t count_ = 0;
};

/// The encoder as the TIFF specification writes it down, with strings for a table.
std::vector<std::byte> encode(std::vector<std::byte> const& in) {
    BitWriter out;
    std::map<std::string, unsigned> table;
    unsigned width = 9, next = 258;
    auto const code_of = [&](std::string const& s) {
        return s.size() == 1 ? static_cast<unsigned char>(s[0]) : table.at(s);
    };
    auto const clear = [&] {
        out.put(256, width);
        table.clear();
        next = 258;
        width = 9;
    };
    clear();
    std::string known;
    for (std::byte const b : in) {
        std::string const longer = known + static_cast<char>(b);
        if (longer.size() == 1 || table.count(longer) > 0) {
            known = longer;
            continue;
        }
        out.put(code_of(known), width);
        table[longer] = next++;
        if (next == 512 || next == 1024 || next == 2048) ++width;
        if (next == 4094) clear();
        known.assign(1, static_cast<char>(b));
    }
    if (!known.empty()) {
        out.put(code_of(known), width);
        if (++next == 512 || next == 1024 || next == 2048) ++width;
    }
    out.put(257, width);
    return out.bytes();
}

// The example of the TIFF 6.0 specification, section 13: codes 256 7 258 8 8 258 6 6 257.
std::vector<std::byte> const golden =
    bytes_of({0x80, 0x01, 0xe0, 0x40, 0x80, 0x44, 0x08, 0x0c, 0x06, 0x80, 0x80});
std::vector<std::byte> const golden_out = bytes_of({7, 7, 7, 8, 8, 7, 7, 6, 6});

TEST(Lzw, TheExampleOfTheSpecification) {
    std::vector<std::byte> out(9);
    ASSERT_TRUE(lzw_decompress(golden, out));
    EXPECT_EQ(out, golden_out);
    EXPECT_EQ(encode(golden_out), golden);
}

TEST(Lzw, RoundTripsThroughEveryWidthOfCode) {
    std::mt19937 random(5);
    for (unsigned const largest : {1U, 2U, 4U, 30U, 256U})
        for (std::size_t const size : {1, 2, 3, 253, 254, 255, 700, 3000, 8000, 200000}) {
            std::vector<std::byte> v(size);
            for (std::byte& b : v) b = static_cast<std::byte>(random() % largest);
            std::vector<std::byte> out(size);
            auto const status = lzw_decompress(encode(v), out);
            ASSERT_TRUE(status) << status.error().message << " " << largest << " " << size;
            ASSERT_EQ(out, v) << largest << " " << size;
        }
}

TEST(Lzw, TheEndCodeMayBeMissing) {
    auto stream = golden;
    stream.pop_back();
    std::vector<std::byte> out(9);
    ASSERT_TRUE(lzw_decompress(stream, out));
    EXPECT_EQ(out, golden_out);
}

TEST(Lzw, StreamsOfAnotherLengthAreErrors) {
    std::vector<std::byte> more(10), less(2);
    EXPECT_FALSE(lzw_decompress(golden, more));
    EXPECT_FALSE(lzw_decompress(golden, less)) << "its second string has two bytes";
    // Also where a string ends at the end of the tile.
    std::vector<std::byte> v(200), half(100);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<std::byte>(i);
    auto const status = lzw_decompress(encode(v), half);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("longer than its tile"), std::string::npos);
    for (std::size_t cut = 0; cut + 2 < golden.size(); ++cut) {
        std::vector<std::byte> out(9);
        EXPECT_FALSE(lzw_decompress(Bytes(golden).first(cut), out)) << cut;
    }
}

TEST(Lzw, CodesThatWereNotDefinedAreErrors) {
    for (std::vector<unsigned> const& codes :
         {std::vector<unsigned>{256, 258}, {256, 7, 259}, {256, 7, 7, 256, 258}, {300}}) {
        BitWriter writer;
        for (unsigned const code : codes) writer.put(code, 9);
        std::vector<std::byte> out(9);
        auto const status = lzw_decompress(writer.bytes(), out);
        ASSERT_FALSE(status);
        EXPECT_NE(status.error().message.find("not defined"), std::string::npos);
    }
}

TEST(Lzw, AFullTableStaysAtTwelveBits) {
    BitWriter writer;
    writer.put(256, 9);
    unsigned next = 257, width = 9;
    std::vector<std::byte> wanted(5000), out(5000);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        wanted[i] = static_cast<std::byte>(i * 7);
        writer.put(std::to_integer<unsigned>(wanted[i]), width);
        ++next;
        if (next == 511 || next == 1023 || next == 2047) ++width;
    }
    ASSERT_TRUE(lzw_decompress(writer.bytes(), out));
    EXPECT_EQ(out, wanted);
}

}  // namespace
}  // namespace sluice::codec
