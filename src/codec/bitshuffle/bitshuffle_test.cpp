// Round trips, known bytes and damaged chunks of bitshuffle and LZ4.
// SPDX-License-Identifier: Apache-2.0
#include "codec/bitshuffle/bitshuffle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "codec/bitshuffle/transpose.h"

namespace sluice::codec {
namespace {

std::vector<std::byte> counts(index n, int bytes, unsigned seed, unsigned largest = 9) {
    std::mt19937 random(seed);
    std::vector<std::byte> v(static_cast<std::size_t>(n * bytes));
    for (index i = 0; i < n; ++i) {
        auto const x = static_cast<std::uint32_t>(random() % (std::uint64_t{largest} + 1));
        std::memcpy(v.data() + i * bytes, &x,
                    std::min<std::size_t>(sizeof x, static_cast<std::size_t>(bytes)));
        // Numbers of any size have all of their bits.
        for (int b = 4; b < bytes && largest == 0xffffffffU; ++b)
            v[static_cast<std::size_t>(i * bytes + b)] = static_cast<std::byte>(random() & 255);
    }
    return v;
}

TEST(Transpose, PlaneHoldsOneBitOfEveryElementLsbFirst) {
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        for (int bytes : {1, 2, 4, 8, 3, 16})
            for (index n : {8, 64, 72, 576, 4096}) {
                auto const v = counts(n, bytes, 7, 0xffffffffU);
                std::vector<std::byte> planes(v.size()), back(v.size());
                transpose(isa).pack(v.data(), bytes, n, planes.data(), n / 8);
                for (index e = 0; e < n; ++e)
                    for (int p = 0; p < 8 * bytes; ++p) {
                        int const bit =
                            std::to_integer<int>(v[static_cast<std::size_t>(e * bytes + p / 8)]) >>
                                (p % 8) &
                            1;
                        int const found =
                            std::to_integer<int>(
                                planes[static_cast<std::size_t>(p * n / 8 + e / 8)]) >>
                                (e % 8) &
                            1;
                        ASSERT_EQ(bit, found) << name_of(isa) << " element " << e << " plane " << p;
                    }
                transpose(isa).unpack(planes.data(), n / 8, 8 * bytes, bytes, n, back.data());
                ASSERT_EQ(v, back) << name_of(isa) << " " << bytes << " " << n;
                // Planes that are not counted are zeros, and not read.
                for (int count = 0; count < 8 * bytes; ++count) {
                    std::vector<std::byte> few(planes.begin(), planes.begin() + count * (n / 8));
                    transpose(isa).unpack(few.data(), n / 8, count, bytes, n, back.data());
                    for (index i = 0; i < n * bytes; ++i) {
                        int const bits = std::clamp(count - 8 * static_cast<int>(i % bytes), 0, 8);
                        auto const at = static_cast<std::size_t>(i);
                        ASSERT_EQ(back[at], v[at] & static_cast<std::byte>((1U << bits) - 1))
                            << name_of(isa) << " " << bytes << " " << n << " " << count;
                    }
                }
            }
    }
}

// Values in either order of bytes, wherever they lie: the planes of pack(), and no other is
// written.
TEST(Transpose, PacksTheLowestPlanesOfPlainValues) {
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        for (int bytes : {1, 2, 4})
            for (index n : {8, 64, 72, 576, 4096})
                for (int used : {0, 1, 5, 8, 9, 13, 32}) {
                    if (used > 8 * bytes) continue;
                    auto const most = static_cast<unsigned>((std::uint64_t{1} << used) - 1);
                    auto v = counts(n, bytes, 5, most);
                    for (std::size_t i = 0; i < v.size(); ++i) {
                        int const shift = 8 * static_cast<int>(i % static_cast<std::size_t>(bytes));
                        v[i] &= static_cast<std::byte>(shift < 32 ? most >> shift : 0);
                    }
                    std::vector<std::byte> planes(v.size()), plain(1);
                    transpose(isa).pack(v.data(), bytes, n, planes.data(), n / 8);
                    for (bool big : {false, true}) {
                        plain.assign(1, {});
                        plain.insert(plain.end(), v.begin(), v.end());
                        for (std::size_t i = 1; big && i < plain.size();
                             i += static_cast<std::size_t>(bytes))
                            std::reverse(plain.begin() + static_cast<std::ptrdiff_t>(i),
                                         plain.begin() + static_cast<std::ptrdiff_t>(i) + bytes);
                        Plain const values{plain.data() + 1, bytes, big};
                        unsigned any = 0;
                        for (std::size_t i = 0; i < v.size(); ++i)
                            any |= std::to_integer<unsigned>(v[i])
                                   << 8 * (i % static_cast<std::size_t>(bytes));
                        std::vector<std::byte> lowest(v.size(), std::byte{0x5a}), want = planes;
                        std::fill(want.begin() + used * n / 8, want.end(), std::byte{0x5a});
                        EXPECT_EQ(transpose(isa).pack_lowest(values, n, used, lowest.data(), n / 8),
                                  any)
                            << name_of(isa);
                        ASSERT_EQ(lowest, want) << name_of(isa) << " " << bytes << " " << n << " "
                                                << used << " " << big;
                    }
                }
    }
}

// Too few or too many planes may be expected: the needed ones are those of pack().
TEST(Transpose, PacksWhatIsNeededWhateverIsExpected) {
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        for (int bytes : {1, 2, 4})
            for (int used : {0, 1, 7, 8, 9, 16, 31}) {
                if (used > 8 * bytes) continue;
                index const n = 200;
                auto const most = static_cast<unsigned>((std::uint64_t{1} << used) - 1);
                auto const v = counts(n, bytes, 11, most);
                std::vector<std::byte> planes(v.size());
                transpose(isa).pack(v.data(), bytes, n, planes.data(), n / 8);
                for (int before = 0; before <= 8 * bytes; ++before) {
                    std::vector<std::byte> found(v.size(), std::byte{0x5a});
                    int expected = before;
                    std::uint32_t const bits =
                        pack_needed(isa, {v.data(), bytes}, n, expected, found.data(), n / 8);
                    ASSERT_EQ(std::bit_width(bits), used);
                    ASSERT_EQ(expected, std::min(used + 1, 8 * bytes));
                    // Planes that were expected and not needed are empty, and no other is written.
                    auto const written = std::max(before, used) * n / 8;
                    ASSERT_TRUE(std::equal(found.begin(), found.begin() + written, planes.begin()))
                        << name_of(isa) << " " << bytes << " " << used << " " << before;
                    ASSERT_TRUE(std::all_of(found.begin() + written, found.end(),
                                            [](std::byte b) { return b == std::byte{0x5a}; }));
                }
            }
    }
}

TEST(Bitshuffle, RoundTripsEveryElementSizeBlockSizeAndTail) {
    for (int bytes : {1, 2, 4, 8, 3, 16})
        for (index n : {1, 7, 8, 63, 576, 4225, 9216, 36864})
            for (index block : {0, 8, 128, 1000}) {
                auto const v = counts(n, bytes, 3);
                std::vector<std::byte> out(v.size());
                ASSERT_TRUE(decode_bitshuffle(encode_bitshuffle_lz4(v, bytes, block),
                                              Compression::lz4, bytes, out));
                ASSERT_EQ(v, out);
                out.assign(v.size(), std::byte{1});
                ASSERT_TRUE(decode_bitshuffle(encode_bitshuffle_zstd(v, bytes, block),
                                              Compression::zstd, bytes, out));
                ASSERT_EQ(v, out);
                out.assign(v.size(), std::byte{1});
                ASSERT_TRUE(decode_bitshuffle(encode_bitshuffle(v, bytes, block), Compression::none,
                                              bytes, out, block));
                ASSERT_EQ(v, out);
            }
}

// A block has other planes than the one before it; the last one is shorter.
TEST(Bitshuffle, BlocksOfManyAndOfFewCountsRoundTrip) {
    std::mt19937 random(6);
    for (int const bytes : {1, 2, 4})
        for (int round = 0; round < 200; ++round) {
            index const block = 8 * (1 + static_cast<index>(random() % 20));
            index const n = static_cast<index>(random() % 1000);
            std::vector<std::byte> v(static_cast<std::size_t>(n * bytes)), out(v.size());
            for (index first = 0; first < n; first += block) {
                unsigned const planes = random() % (8 * static_cast<unsigned>(bytes) + 1);
                for (index i = first; i < std::min(n, first + block); ++i) {
                    std::uint64_t const value = random() & ((std::uint64_t{1} << planes) - 1);
                    std::memcpy(v.data() + i * bytes, &value, static_cast<std::size_t>(bytes));
                }
            }
            ASSERT_TRUE(decode_bitshuffle(encode_bitshuffle_lz4(v, bytes, block), Compression::lz4,
                                          bytes, out));
            ASSERT_EQ(v, out) << bytes << ' ' << n << ' ' << block;
        }
}

TEST(Bitshuffle, AnElementSizeThatCannotBeIsAnErrorAndNotZeros) {
    auto const v = counts(64, 2, 5);
    std::vector<std::byte> out(v.size());
    for (int bytes : {0, -1, most_element_bytes + 1, 3})
        EXPECT_FALSE(decode_bitshuffle(encode_bitshuffle_lz4(v, 2), Compression::lz4, bytes, out))
            << bytes;
}

TEST(Bitshuffle, Lz4OnlyRoundTrips) {
    for (index block : {0, 1000, 8192}) {
        auto const v = counts(9216, 2, 4);
        std::vector<std::byte> out(v.size());
        ASSERT_TRUE(decode_lz4(encode_lz4(v, block), out));
        ASSERT_EQ(v, out);
        auto const noise = counts(5000, 4, 5, 0xffffffffU);
        out.assign(noise.size(), std::byte{});
        ASSERT_TRUE(decode_lz4(encode_lz4(noise, block), out));
        ASSERT_EQ(noise, out);
    }
}

// The first element of an all-ones u16 among zeros sets bit 0 of byte 0 of each of 16 planes.
TEST(Bitshuffle, KnownBytes) {
    std::vector<std::byte> v(16 * 2);
    v[0] = v[1] = std::byte{0xff};
    auto const chunk = encode_bitshuffle(v, 2);
    ASSERT_EQ(chunk.size(), 32u);
    for (std::size_t p = 0; p < 16; ++p) {
        EXPECT_EQ(chunk[2 * p], std::byte{1});
        EXPECT_EQ(chunk[2 * p + 1], std::byte{0});
    }
}

TEST(Bitshuffle, DamageIsAnErrorThatSaysWhere) {
    auto const v = counts(9216, 2, 6);
    auto const good = encode_bitshuffle_lz4(v, 2);
    std::vector<std::byte> out(v.size());
    auto const decode = [&](std::vector<std::byte> const& chunk) {
        return decode_bitshuffle(chunk, Compression::lz4, 2, out);
    };
    auto bad = good;
    bad[11] = std::byte{0}, bad[10] = std::byte{0};
    auto r = decode(bad);
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().message.find("block size of 0"), std::string::npos);
    bad = good, bad[7] = std::byte{1};
    EXPECT_FALSE(decode(bad));
    bad = good, bad[12] = std::byte{0xff};
    r = decode(bad);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().at, 16u);
    for (std::size_t n = 0; n < good.size(); n += 37) {
        bad = good, bad.resize(n);
        EXPECT_FALSE(decode(bad)) << n;
    }
    bad = good;
    for (std::size_t i = 16; i < 200; ++i) bad[i] = std::byte{0xff};
    EXPECT_FALSE(decode(bad));
    std::vector<std::byte> shorter(v.size() - 2);
    EXPECT_FALSE(decode_bitshuffle(good, Compression::lz4, 2, shorter));
}

}  // namespace
}  // namespace sluice::codec
