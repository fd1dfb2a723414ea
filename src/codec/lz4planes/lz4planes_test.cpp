// Our decoder of bit planes beside LZ4's library: the same bytes, whatever the block.
// SPDX-License-Identifier: Apache-2.0
#include "codec/lz4planes/lz4planes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"
#include "codec/lz4planes/test_lz4planes.h"

namespace sluice::codec {
namespace {

std::vector<Isa> isas_here() {
    std::vector<Isa> all;
    for (Isa isa : compiled_isas())
        if (runs_here(isa)) all.push_back(isa);
    return all;
}

enum Kind { poisson, with_bad_pixel, all_zero, constant, noise, text_like, kinds };

// The planes of some elements as a detector, or somebody who means harm, may write them.
std::vector<std::byte> planes_of(Kind kind, std::size_t plane_bytes, int count,
                                 std::mt19937& random) {
    std::vector<std::byte> planes(plane_bytes * static_cast<std::size_t>(count));
    auto const set = [&](std::size_t element, std::uint64_t value) {
        for (int p = 0; p < count && p < 64; ++p)
            if (value >> p & 1)
                planes[static_cast<std::size_t>(p) * plane_bytes + element / 8] |=
                    static_cast<std::byte>(1U << (element % 8));
    };
    std::size_t const elements = 8 * plane_bytes;
    std::poisson_distribution<std::uint64_t> counts(0.05 * (1 << random() % 8));
    switch (kind) {
        case poisson:
        case with_bad_pixel:
            for (std::size_t e = 0; e < elements; ++e) set(e, counts(random));
            for (unsigned n = random() % 3; kind == with_bad_pixel && n < 3; ++n)
                set(random() % elements, ~std::uint64_t{0});
            break;
        case constant:
            for (std::size_t e = 0; e < elements; ++e) set(e, 0x5a5a5a5a5a5a5a5a);
            break;
        case noise:
            for (std::byte& b : planes) b = static_cast<std::byte>(random());
            break;
        case text_like: {
            std::size_t const period = 1 + random() % 100;
            for (std::size_t i = 0; i < planes.size(); ++i)
                planes[i] =
                    static_cast<std::byte>(random() % 50 == 0 ? random() : i % period * 7 % 256);
            break;
        }
        case all_zero:
        case kinds:
            break;
    }
    return planes;
}

TEST(Lz4Planes, GivesTheBytesOfTheLibraryForEveryKindOfBlock) {
    std::mt19937 random(20);
    Guarded const input(1 << 17), output(1 << 17);
    int taken = 0, all = 0;
    for (Isa isa : isas_here())
        for (int kind = 0; kind < kinds; ++kind)
            for (int bytes : {1, 2, 3, 4, 8})
                for (std::size_t plane : {1U, 7U, 16U, 24U, 128U, 512U, 1024U})
                    for (int times = 0; times < 3; ++times) {
                        auto const planes =
                            planes_of(static_cast<Kind>(kind), plane, 8 * bytes, random);
                        std::vector<std::byte> block;
                        lz4_compress(planes, block);
                        auto const c = compare_with_library(block, times == 1 ? 200 : 0, plane,
                                                            8 * bytes, isa, input, output);
                        ASSERT_TRUE(c.valid);
                        ASSERT_EQ(c.fault, "") << "kind " << kind << " of " << bytes << " bytes, "
                                               << plane << " a plane, " << name_of(isa);
                        taken += c.taken;
                        ++all;
                    }
    // Only blocks of fewer than twelve bytes are left to the library.
    EXPECT_GT(taken, all * 9 / 10);
    EXPECT_LT(taken, all);
}

TEST(Lz4Planes, LeavesOutWhatIsEmptyOrRepeats) {
    std::mt19937 random(3);
    Guarded const input(1 << 17), output(1 << 17);
    for (Isa isa : isas_here())
        for (int bytes : {1, 2, 4, 8}) {
            std::size_t const plane = 8192 / (8 * static_cast<std::size_t>(bytes));
            int few = 0;
            for (Kind kind : {poisson, with_bad_pixel, all_zero, constant})
                for (int times = 0; times < 8; ++times) {
                    auto planes = planes_of(kind, plane, 8 * bytes, random);
                    std::vector<std::byte> block;
                    lz4_compress(planes, block);
                    auto const c =
                        compare_with_library(block, 64, plane, 8 * bytes, isa, input, output);
                    ASSERT_EQ(c.fault, "");
                    EXPECT_TRUE(c.taken);
                    few += c.written < 8 * bytes;
                    EXPECT_LE(c.written, kind == all_zero ? 1 : 8 * bytes);
                }
            EXPECT_GE(few, bytes == 1 ? 8 : 16) << bytes;
        }
}

// A block made by hand: a token, literals and an offset at a time.
struct Made {
    std::vector<std::byte> bytes;

    Made& put(std::initializer_list<int> values) {
        for (int v : values) bytes.push_back(static_cast<std::byte>(v));
        return *this;
    }
};

TEST(Lz4Planes, RefusesWhatTheLibraryRefusesAtABlocksEnd) {
    Guarded const input(4096), output(4096);
    // A match that ends in the last five bytes, one that begins in the last twelve, an offset of
    // zero, one before the beginning, and literals that are not there.
    Made const made[] = {
        Made{}.put({0x14, 1, 1, 0, 0x40, 2, 3, 4, 5}),
        Made{}.put({0x40, 1, 2, 3, 4, 1, 0, 0x50, 1, 2, 3, 4, 5}),
        Made{}.put({0x1f, 1, 0, 0, 30, 0x50, 1, 2, 3, 4, 5}),
        Made{}.put({0x1f, 1, 2, 0, 30, 0x50, 1, 2, 3, 4, 5}),
        Made{}.put({0x1f, 1, 1, 0, 30, 0x60, 1, 2, 3, 4, 5}),
        Made{}.put({0xf0, 255, 255, 255}),
        Made{},
    };
    for (Made const& m : made)
        for (Isa isa : isas_here())
            for (std::size_t plane : {2U, 3U, 7U, 13U, 55U})
                for (std::size_t beyond : {0U, 100U}) {
                    auto const c =
                        compare_with_library(m.bytes, beyond, plane, 1, isa, input, output);
                    EXPECT_EQ(c.fault, "") << "block " << &m - made << ", plane of " << plane;
                }
}

TEST(Lz4Planes, NeverLeavesItsBoundsNorDisagreesWhenBlocksAreDamaged) {
    // Another seed with --gtest_shuffle --gtest_repeat=100, which then are 10 million blocks.
    std::mt19937 random(static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed()) + 7);
    Guarded const input(1 << 17), output(1 << 17);
    auto const isas = isas_here();
    int taken = 0, refused = 0;
    for (int round = 0; round < 2000; ++round) {
        int const count = 8 << random() % 4;
        std::size_t const plane = 1 + random() % 600;
        auto const planes = planes_of(static_cast<Kind>(random() % kinds), plane, count, random);
        std::vector<std::byte> whole;
        lz4_compress(planes, whole);
        for (int times = 0; times < 50; ++times) {
            auto block = whole;
            for (unsigned n = 1 + random() % 4; n > 0 && !block.empty(); --n) {
                std::size_t const at =
                    random() % 2
                        ? random() % block.size()
                        : block.size() - 1 - random() % std::min<std::size_t>(block.size(), 12);
                switch (random() % 4) {
                    case 0:
                        block[at] = static_cast<std::byte>(random());
                        break;
                    case 1:
                        block[at] ^= static_cast<std::byte>(1U << random() % 8);
                        break;
                    case 2:
                        block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
                        break;
                    default:
                        block.resize(at);
                }
            }
            auto const c = compare_with_library(block, random() % 2 * (random() % 100), plane,
                                                count, isas[random() % isas.size()], input, output);
            ASSERT_EQ(c.fault, "") << "round " << round;
            (c.taken ? taken : refused) += 1;
        }
    }
    EXPECT_GT(taken, 1000);
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace sluice::codec
