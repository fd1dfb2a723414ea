// Tests of the counters of bits, of this processor's own and of plain loops: beside pixel by pixel.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#define SLUICE_ISA counted
#ifdef __aarch64__
#include "kernel/planes/counter_neon.h"
#else
#include "kernel/planes/counter_generic.h"
#endif

namespace sluice::planes {
namespace {

using Sums = std::array<std::uint64_t, tile_frames>;

/// The planes of a block, a mask, and where the block is.
struct Block {
    int planes;
    std::uint64_t mask, row0, col0;
    std::vector<std::uint64_t> words = {};  ///< [plane][frame]
};

// Of every number of planes; often enough that bytes would overflow if they were not emptied.
std::vector<Block> blocks() {
    std::mt19937_64 random(7);
    std::vector<Block> all;
    for (int round = 0; round < 40; ++round)
        for (int planes = 0; planes <= 16; ++planes) {
            std::uint64_t const mask = round % 3 == 0 ? ~std::uint64_t{0} : random();
            Block b{planes, mask, random() % 100'000 * 8, random() % 100'000 * 8};
            for (int i = 0; i < planes * tile_frames; ++i)
                b.words.push_back(round % 5 == 0 ? ~std::uint64_t{0} : random());
            all.push_back(b);
        }
    return all;
}

TEST(Counter, SumsAreThoseOfSinglePixels) {
    counted::SumCounter counter;
    Sums expected{}, found{};
    for (Block const& b : blocks()) {
        counter.add(b.words.data(), b.planes, b.mask);
        for (std::size_t i = 0; i < b.words.size(); ++i)
            for (int bit = 0; bit < 64; ++bit)
                expected[i % tile_frames] +=
                    (b.words[i] & b.mask) >> bit & 1 ? std::uint64_t{1} << i / tile_frames : 0;
    }
    counter.store(found.data());
    EXPECT_EQ(found, expected);
}

TEST(Counter, TotalsAreAddedUp) {
    counted::SumCounter counter;
    std::vector<std::uint8_t> const narrow(257 * tile_frames, 255);
    std::array<std::uint32_t, tile_frames> wide;
    for (std::size_t f = 0; f < wide.size(); ++f) wide[f] = 0xfffffff0u + static_cast<unsigned>(f);
    counter.add_totals(narrow.data(), 257);
    counter.add_totals(wide.data());
    Sums found{};
    counter.store(found.data());
    for (std::size_t f = 0; f < found.size(); ++f)
        EXPECT_EQ(found[f], std::uint64_t{257} * 255 + 0xfffffff0 + f);
}

TEST(Counter, MomentsAreThoseOfSinglePixels) {
    counted::MomentCounter counter;
    std::array<Moment, tile_frames> expected{}, found{};
    for (Block const& b : blocks()) {
        counter.add(b.words.data(), b.planes, b.mask, b.row0, b.col0);
        for (std::size_t i = 0; i < b.words.size(); ++i)
            for (std::uint64_t bit = 0; bit < 64; ++bit) {
                std::uint64_t const v = ((b.words[i] & b.mask) >> bit & 1) << i / tile_frames;
                Moment& m = expected[i % tile_frames];
                m.sum += v;
                m.row += v * (b.row0 + bit / 8);
                m.col += v * (b.col0 + bit % 8);
            }
    }
    counter.store(found.data());
    for (std::size_t f = 0; f < found.size(); ++f) {
        EXPECT_EQ(found[f].sum, expected[f].sum) << f;
        EXPECT_EQ(found[f].row, expected[f].row) << f;
        EXPECT_EQ(found[f].col, expected[f].col) << f;
    }
}

}  // namespace
}  // namespace sluice::planes
