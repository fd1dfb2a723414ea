// The zstd1 header, and bytes that are put together again, against the definition.
// SPDX-License-Identifier: Apache-2.0
#include "codec/hilo/hilo.h"

#include <gtest/gtest.h>

#include <vector>

#include "codec/hilo/interleave.h"
#include "device/past_caches.h"

namespace sluice::codec {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
    std::vector<std::byte> v;
    for (int const x : values) v.push_back(static_cast<std::byte>(x));
    return v;
}

TEST(Zstd1, TheHeadersThatFilesHave) {
    struct Case {
        std::vector<std::byte> data;
        std::size_t size;
        bool hi_lo;
    };
    for (Case const& c :
         {Case{bytes_of({1, 0x28, 0xb5}), 1, false}, Case{bytes_of({3, 1, 1, 0x28}), 3, true},
          Case{bytes_of({3, 1, 0, 0x28}), 3, false}}) {
        auto const header = parse_zstd1(c.data);
        ASSERT_TRUE(header);
        EXPECT_EQ(header->size, c.size);
        EXPECT_EQ(header->hi_lo, c.hi_lo);
    }
}

TEST(Zstd1, OtherHeadersAreErrorsOfTheirKind) {
    auto const code = [](std::initializer_list<int> data) {
        auto const header = parse_zstd1(bytes_of(data));
        EXPECT_FALSE(header);
        return header ? Code::io : header.error().code;
    };
    EXPECT_EQ(code({}), Code::truncated);
    EXPECT_EQ(code({0}), Code::corrupt);
    EXPECT_EQ(code({3, 1}), Code::truncated);
    EXPECT_EQ(code({2, 1, 1, 1}), Code::truncated) << "the part ends before its option";
    EXPECT_EQ(code({3, 2, 1, 0x28}), Code::unsupported);
    EXPECT_EQ(code({3, 1, 2, 0x28}), Code::unsupported);
    EXPECT_EQ(code({0x81, 1, 1, 1}), Code::unsupported);
}

TEST(HiLo, EveryPartOfABufferOfAnySize) {
    for (index const size : {0, 1, 2, 3, 127, 128, 129, 255, 1000, 1001}) {
        std::vector<std::byte> packed, whole;
        for (index i = 0; i < size; ++i) packed.push_back(static_cast<std::byte>(i * 37 + i / 256));
        auto const half = static_cast<std::size_t>(size / 2);
        for (std::size_t i = 0; i < half; ++i) {
            whole.push_back(packed[i]);
            whole.push_back(packed[half + i]);
        }
        if (size % 2 == 1) whole.push_back(packed.back());
        for (index first = 0; first <= size / 2; first += 1 + size / 9) {
            std::vector<std::byte> out(static_cast<std::size_t>(size - 2 * first));
            unpack_hilo(packed, first, out);
            ASSERT_EQ(out, std::vector(whole.begin() + 2 * first, whole.end())) << size;
            std::fill(out.begin(), out.end(), std::byte{});
            unpack_hilo(packed, first, out, true);
            ASSERT_EQ(out, std::vector(whole.begin() + 2 * first, whole.end())) << size;
            out.assign(size / 2 > first ? 2 : 0, {});
            unpack_hilo(packed, first, out);
            ASSERT_TRUE(std::equal(out.begin(), out.end(), whole.begin() + 2 * first)) << size;
        }
    }
}

TEST(HiLo, EveryInstructionSetWhereverTheSamplesLie) {
    std::vector<std::byte> low(300), high(300);
    for (std::size_t i = 0; i < low.size(); ++i) {
        low[i] = static_cast<std::byte>(i * 91);
        high[i] = static_cast<std::byte>(255 - i * 17);
    }
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        for (index begin = 0; begin < 66; ++begin)
            for (index const n : {0, 1, 31, 32, 33, 64, 290}) {
                std::vector<std::byte> plain(700), out(700);
                for (index i = 0; i < n; ++i) {
                    plain[static_cast<std::size_t>(begin + 2 * i)] =
                        low[static_cast<std::size_t>(i + begin % 5)];
                    plain[static_cast<std::size_t>(begin + 2 * i + 1)] =
                        high[static_cast<std::size_t>(i + begin % 3)];
                }
                for (auto const kernel : {interleave(isa).to, interleave(isa).past}) {
                    std::fill(out.begin(), out.end(), std::byte{});
                    kernel(low.data() + begin % 5, high.data() + begin % 3, n, out.data() + begin);
                    past_caches_done();
                    ASSERT_EQ(out, plain) << name_of(isa) << ' ' << begin << ' ' << n;
                }
            }
    }
}

TEST(HiLoDeathTest, MoreThanTheBufferHolds) {
    std::vector<std::byte> const packed(9);
    std::vector<std::byte> out(4);
    EXPECT_DEATH(unpack_hilo(packed, 3, out), "");
    EXPECT_DEATH(unpack_hilo(packed, -1, out), "");
    out.resize(3);
    EXPECT_DEATH(unpack_hilo(packed, 0, out), "") << "the odd byte is not next";
}

}  // namespace
}  // namespace sluice::codec
