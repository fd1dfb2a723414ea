// Lines on every instruction set that runs here and by the slow twin: what they hold, what masks
// count on them, and the tiles that they were.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <vector>

#include "kernel/lines/cpu.h"
#include "kernel/planes/make_tile.h"
#include "kernel/planes/read_frame.h"

namespace sluice::lines {
namespace {

using planes::Grid;
using planes::MaskWord;
using planes::Tile;
using planes::tile_frames;

struct Memory {
    explicit Memory(index bytes) : bytes_(static_cast<std::size_t>(bytes) + 64, std::byte{0xa5}) {}
    std::byte* begin() {
        return bytes_.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64) % 64;
    }

  private:
    std::vector<std::byte> bytes_;
};

struct Case {
    index rows, cols, tiles;
    int bits;       ///< of a value, at most
    double filled;  ///< share of pixels that are not zero
    unsigned seed;
};

/// Tiles of random counts, some pixels of which are bad: always zero.
class Tiles {
  public:
    explicit Tiles(Case const& c) : grid{c.rows, c.cols} {
        std::mt19937_64 random(c.seed);
        std::vector<std::uint8_t> bad(static_cast<std::size_t>(c.rows * c.cols));
        for (auto& b : bad) b = random() % 20 == 0;
        auto const share = static_cast<std::uint64_t>(c.filled * 1000);
        for (index t = 0; t < c.tiles; ++t) {
            index const plane = planes::FrameRows::plane_bytes(grid) + 64, frame = 32 * plane;
            std::vector<std::byte> rows(static_cast<std::size_t>(tile_frames * frame));
            for (index f = 0; f < tile_frames; ++f)
                for (index i = 0; i < c.rows * c.cols; ++i) {
                    if (bad[static_cast<std::size_t>(i)] || random() % 1000 >= share) continue;
                    // Few blocks have the highest planes.
                    int const bits =
                        i / c.cols < 9 && i % c.cols < 9 ? c.bits : std::min(c.bits, 2);
                    std::uint64_t const v = random() & ((std::uint64_t{1} << bits) - 1);
                    index const at = i / c.cols * grid.block_cols() + i % c.cols / 8;
                    for (int p = 0; p < bits; ++p)
                        rows[static_cast<std::size_t>(f * frame + p * plane + at)] |=
                            static_cast<std::byte>((v >> p & 1) << (i % c.cols % 8));
                }
            memory_.emplace_back(planes::tile_bound(grid.blocks(), 32));
            std::vector<std::uint8_t> const most(static_cast<std::size_t>(grid.block_rows()), 32);
            bytes.push_back(planes::tile_making(Isa::baseline)
                                .seal({rows.data(), frame, plane}, grid, most.data(), nullptr,
                                      false, memory_.back().begin(), nullptr));
            tiles.push_back({memory_.back().begin(), grid.blocks()});
        }
    }

    Grid grid;
    std::vector<Tile> tiles = {};
    std::vector<index> bytes = {};

  private:
    std::vector<Memory> memory_ = {};
};

std::vector<CpuKernels const*> all_kernels() {
    std::vector<CpuKernels const*> all{&kernels_for(Device::reference())};
    for (Isa const isa : compiled_isas())
        if (runs_here(isa)) all.push_back(&cpu_kernels(isa));
    return all;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (int bits = 1; bits <= 16; ++bits) all.push_back({16, 16, 32, bits, 0.9, 1});
    for (int const bits : {17, 23, 24, 32}) all.push_back({16, 24, 32, bits, 0.5, 2});
    all.push_back({40, 72, 32, 3, 0.02, 3});  // sparse, all levels
    all.push_back({40, 72, 32, 1, 0.0, 4});   // nothing at all
    all.push_back({35, 67, 32, 12, 0.7, 5});  // over the edges
    all.push_back({5, 3, 32, 16, 1.0, 6});    // one block that is not whole
    all.push_back({96, 80, 7, 4, 0.3, 7});    // a last unit
    all.push_back({33, 33, 1, 9, 0.3, 8});
    all.push_back({64, 64, 31, 8, 1.0, 9});
    return all;
}

// One of each kind: counts, planes beyond a head's own, edges, last units.
constexpr Case some_cases[] = {{16, 24, 32, 32, 0.5, 2},
                               {40, 72, 32, 3, 0.02, 3},
                               {35, 67, 5, 12, 0.7, 5},
                               {5, 3, 32, 16, 1.0, 6}};

std::uint64_t pixel(Tile tile, index block, int bit, index frame) {
    Tile::Entry const e = tile.entry(block);
    std::uint64_t v = 0;
    for (int p = 0; p < e.planes; ++p)
        v |= (tile.words(e)[p * tile_frames + frame] >> bit & 1) << p;
    return v;
}

/// Masks as a scan has them: bits of pixels that do not exist are set where a block is whole.
std::vector<std::vector<MaskWord>> masks_of(Grid grid) {
    std::mt19937_64 random(11);
    std::vector<std::vector<MaskWord>> masks(6);
    for (index b = 0; b < grid.blocks(); ++b) {
        auto const block = static_cast<std::uint32_t>(b);
        std::uint64_t const few = random() & random() & random(), half = random();
        masks[1].push_back({~std::uint64_t{0}, block});
        if (few != 0) masks[2].push_back({few, block});
        masks[3].push_back({half, block});
        masks[4].push_back({~few, block});
        std::uint64_t const mixed[] = {0, ~std::uint64_t{0}, few, ~few, half};
        if (std::uint64_t const bits = mixed[random() % 5]; bits != 0)
            masks[5].push_back({bits, block});
    }
    return masks;
}

void expect_totals(Unit unit, Tiles const& made) {
    index number = 0;
    for (int level = 0; level < levels; ++level) {
        Squares const squares = Squares::of(made.grid, level);
        for (index i = 0; i < squares.count(); ++i, ++number) {
            std::vector<std::uint64_t> sums(unit_frames);
            for (index b = 0; b < made.grid.blocks(); ++b)
                if (b / made.grid.block_cols() >> level == i / squares.cols &&
                    b % made.grid.block_cols() >> level == i % squares.cols)
                    for (std::size_t f = 0; f < made.tiles.size() * tile_frames; ++f)
                        for (int bit = 0; bit < 64; ++bit)
                            sums[f] += pixel(made.tiles[f / tile_frames], b, bit,
                                             static_cast<index>(f % tile_frames));
            std::uint32_t const square = unit.square(number);
            auto const* const at = reinterpret_cast<std::uint8_t const*>(unit.totals(square));
            for (std::size_t f = 0; f < unit_frames; ++f) {
                Width const width = Unit::width(square);
                std::uint64_t found = 0;
                if (width == Width::half) found = f < 256 ? at[f] & 15U : at[f - 256] >> 4U;
                if (width == Width::one) found = at[f];
                if (width == Width::two) found = reinterpret_cast<std::uint16_t const*>(at)[f];
                if (width == Width::four) found = reinterpret_cast<std::uint32_t const*>(at)[f];
                ASSERT_EQ(found, sums[f])
                    << "level " << level << ", square " << i << ", frame " << f;
            }
        }
    }
}

TEST(Lines, HoldWhatTilesHold) {
    for (Case const& c : cases()) {
        Tiles const made(c);
        for (CpuKernels const* k : all_kernels()) {
            index const bound = bound_of(made.tiles, made.grid);
            ASSERT_LE(bound, unit_bound(made.grid, 32));
            Memory memory(bound);
            index const bytes = k->make(made.tiles, made.grid, memory.begin());
            ASSERT_LE(bytes, bound);
            Unit const unit{memory.begin(), made.grid};
            if (!unit.wide()) expect_totals(unit, made);
            index const block_rows = made.grid.block_rows(), half = block_rows / 2;
            for (index f : {index{0}, std::ssize(made.tiles) * tile_frames - 1}) {
                std::vector<double> found(static_cast<std::size_t>(c.rows * c.cols), -1);
                std::vector<double> right = found;
                k->read_rows(unit, f, half, block_rows - half, found.data());
                for (index i = 0; i < half * planes::block_edge * c.cols; ++i)
                    ASSERT_EQ(found[static_cast<std::size_t>(i)], -1) << "rows that nobody asked";
                k->read_rows(unit, f, 0, half, found.data());
                planes::read_frame(made.tiles[static_cast<std::size_t>(f / tile_frames)], made.grid,
                                   f % tile_frames, right.data());
                ASSERT_EQ(found, right) << c.bits << " bits, frame " << f;
            }
        }
    }
}

std::vector<std::uint64_t> sums_of(Tiles const& made, std::vector<MaskWord> const& words) {
    std::vector<std::uint64_t> sums(unit_frames);
    for (std::size_t f = 0; f < made.tiles.size() * tile_frames; ++f)
        for (MaskWord const& w : words)
            for (int bit = 0; bit < 64; ++bit)
                if (w.bits >> bit & 1)
                    sums[f] += pixel(made.tiles[f / tile_frames], w.block, bit,
                                     static_cast<index>(f % tile_frames));
    return sums;
}

TEST(Lines, MasksCountTheSame) {
    for (Case const& c : cases()) {
        Tiles const made(c);
        auto const masks = masks_of(made.grid);
        std::vector<std::vector<std::uint64_t>> right;
        for (auto const& words : masks) right.push_back(sums_of(made, words));
        for (CpuKernels const* k : all_kernels()) {
            index const bound = unit_bound(made.grid, 32);
            std::vector<Memory> memory(3, Memory(bound));
            std::vector<Unit> units;
            for (Memory& m : memory) {
                k->make(made.tiles, made.grid, m.begin());
                units.push_back({m.begin(), made.grid});
            }
            for (std::size_t m = 0; m < masks.size(); ++m) {
                LineMask const mask = line_mask(masks[m], made.grid);
                std::vector<std::uint64_t> out(units.size() * unit_frames, 77);
                k->count(units, mask, reinterpret_cast<std::uint64_t(*)[unit_frames]>(out.data()));
                for (std::size_t i = 0; i < out.size(); ++i)
                    ASSERT_EQ(out[i], right[m][i % unit_frames])
                        << c.bits << " bits, mask " << m << ", frame " << i;
            }
        }
    }
}

// What one mask counts more than another one, either way, modulo 2^32.
TEST(Lines, DifferencesOfMasksAreDifferencesOfSums) {
    for (Case const& c : some_cases) {
        Tiles const made(c);
        auto const masks = masks_of(made.grid);
        std::vector<std::vector<std::uint64_t>> sums;
        for (auto const& words : masks) sums.push_back(sums_of(made, words));
        for (CpuKernels const* k : all_kernels()) {
            Memory memory(unit_bound(made.grid, 32));
            k->make(made.tiles, made.grid, memory.begin());
            std::vector<Unit> const units{{memory.begin(), made.grid}};
            for (std::size_t from = 0; from < masks.size(); ++from)
                for (std::size_t to = 0; to < masks.size(); ++to) {
                    std::vector<std::uint64_t> out(unit_frames, 77);
                    k->count(units, difference(masks[to], masks[from]),
                             reinterpret_cast<std::uint64_t(*)[unit_frames]>(out.data()));
                    for (std::size_t f = 0; f < out.size(); ++f)
                        ASSERT_EQ(static_cast<std::uint32_t>(out[f]),
                                  static_cast<std::uint32_t>(sums[to][f] - sums[from][f]))
                            << c.bits << " bits, frame " << f;
                }
        }
    }
}

TEST(Lines, MomentsOfMasksAreThoseOfTiles) {
    for (Case const& c : some_cases) {
        Tiles const made(c);
        auto const masks = masks_of(made.grid);
        index const cols = made.grid.block_cols();
        for (std::size_t m = 0; m < masks.size(); ++m) {
            std::vector<std::array<std::uint64_t, 3>> right(unit_frames);
            for (std::size_t f = 0; f < made.tiles.size() * tile_frames; ++f)
                for (MaskWord const& w : masks[m])
                    for (int bit = 0; bit < 64; ++bit) {
                        if (!(w.bits >> bit & 1)) continue;
                        std::uint64_t const n = pixel(made.tiles[f / tile_frames], w.block, bit,
                                                      static_cast<index>(f % tile_frames));
                        auto const block = static_cast<index>(w.block);
                        right[f][0] += n;
                        right[f][1] += n * static_cast<std::uint64_t>(block / cols * 8 + bit / 8);
                        right[f][2] += n * static_cast<std::uint64_t>(block % cols * 8 + bit % 8);
                    }
            for (CpuKernels const* k : all_kernels()) {
                std::vector<Memory> memory(2, Memory(unit_bound(made.grid, 32)));
                std::vector<Unit> units;
                for (Memory& one : memory) {
                    k->make(made.tiles, made.grid, one.begin());
                    units.push_back({one.begin(), made.grid});
                }
                std::vector<planes::Moment> out(units.size() * unit_frames, {7, 7, 7});
                k->moments(units, masks[m],
                           reinterpret_cast<planes::Moment(*)[unit_frames]>(out.data()));
                for (std::size_t i = 0; i < out.size(); ++i) {
                    auto const& of = right[i % unit_frames];
                    ASSERT_TRUE(out[i].sum == of[0] && out[i].row == of[1] && out[i].col == of[2])
                        << c.bits << " bits, mask " << m << ", frame " << i;
                }
            }
        }
    }
}

TEST(Lines, PatternsOfChosenFramesAreThoseOfTiles) {
    std::mt19937_64 random(21);
    for (Case const& c : some_cases) {
        Tiles const made(c);
        std::vector<std::uint64_t> chosen(line_words);
        for (int share = 0; share < 3; ++share) {  // a quarter, half, all
            for (std::uint64_t& w : chosen)
                w = share == 2 ? ~std::uint64_t{0} : share == 1 ? random() : random() & random();
            std::vector<std::uint64_t> right(static_cast<std::size_t>(made.grid.blocks() * 64), 5);
            for (index f = 0; f < std::ssize(made.tiles) * tile_frames; ++f)
                for (std::size_t i = 0; i < right.size(); ++i)
                    if (chosen[static_cast<std::size_t>(f / 64)] >> f % 64 & 1)
                        right[i] += pixel(made.tiles[static_cast<std::size_t>(f / tile_frames)],
                                          static_cast<index>(i / 64), static_cast<int>(i % 64),
                                          f % tile_frames);
            for (CpuKernels const* k : all_kernels()) {
                Memory memory(unit_bound(made.grid, 32));
                k->make(made.tiles, made.grid, memory.begin());
                std::vector<std::uint64_t> sums(right.size(), 5);
                k->add_frames({memory.begin(), made.grid}, chosen.data(), sums.data());
                ASSERT_EQ(sums, right) << c.bits << " bits";
            }
        }
    }
}

TEST(Lines, TurnBackToTheSameTiles) {
    for (Case const& c : cases()) {
        Tiles const made(c);
        for (CpuKernels const* k : all_kernels()) {
            Memory memory(unit_bound(made.grid, 32));
            k->make(made.tiles, made.grid, memory.begin());
            Unit const unit{memory.begin(), made.grid};
            for (index const first : {index{0}, index{4}, index{28}}) {
                index const count = std::min<index>(std::ssize(made.tiles) - first, 6);
                if (count <= 0) continue;
                std::vector<Memory> back(static_cast<std::size_t>(count),
                                         Memory(tile_bound_of(unit)));
                std::vector<std::byte*> out;
                for (Memory& m : back) out.push_back(m.begin());
                std::vector<index> bytes(out.size());
                k->turn_back(unit, first, count, nullptr, out.data(), bytes.data());
                for (std::size_t t = 0; t < out.size(); ++t) {
                    std::size_t const at = static_cast<std::size_t>(first) + t;
                    Tile const found{out[t], made.grid.blocks()}, right = made.tiles[at];
                    ASSERT_EQ(bytes[t], made.bytes[at]);
                    for (index b = 0; b < made.grid.blocks(); ++b) {
                        auto const e = found.entry(b), of = right.entry(b);
                        ASSERT_EQ(e.planes, of.planes);
                        ASSERT_EQ(e.totals, of.totals);
                        ASSERT_TRUE(std::equal(right.words(of),
                                               right.words(of) + tile_frames * of.planes,
                                               found.words(e)));
                        ASSERT_TRUE(std::equal(right.narrow(b), right.narrow(b) + tile_frames,
                                               found.narrow(b)));
                        if (e.totals != planes::Totals::wide) continue;
                        ASSERT_TRUE(std::equal(right.wide(of), right.wide(of) + tile_frames,
                                               found.wide(e)));
                    }
                    ASSERT_TRUE(std::equal(right.exceptions(),
                                           right.exceptions() + 1 + right.exceptions()[0],
                                           found.exceptions()));
                }
            }
        }
    }
}

TEST(Lines, BlocksThatNobodyNeedsAreZeros) {
    Tiles const made({40, 40, 32, 5, 0.7, 13});
    std::vector<std::uint8_t> need(25);
    for (std::size_t b = 0; b < need.size(); ++b) need[b] = b % 3 == 0;
    for (CpuKernels const* k : all_kernels()) {
        Memory memory(unit_bound(made.grid, 32));
        k->make(made.tiles, made.grid, memory.begin());
        Unit const unit{memory.begin(), made.grid};
        std::vector<Memory> back(12, Memory(tile_bound_of(unit)));
        std::vector<std::byte*> out;
        for (Memory& m : back) out.push_back(m.begin());
        std::vector<index> bytes(out.size());
        k->turn_back(unit, 4, std::ssize(out), need.data(), out.data(), bytes.data());
        for (std::size_t t = 0; t < out.size(); ++t)
            for (index b = 0; b < 25; ++b)
                for (int bit = 0; bit < 64; ++bit)
                    for (index f = 0; f < tile_frames; ++f)
                        ASSERT_EQ(pixel({out[t], 25}, b, bit, f),
                                  need[static_cast<std::size_t>(b)]
                                      ? pixel(made.tiles[4 + t], b, bit, f)
                                      : 0u);
    }
}

// The largest counts that 32 bits hold, and some beyond: the width of sums follows.
TEST(Lines, SumsBeyond32BitsStayExact) {
    Tiles const made({16, 16, 32, 32, 1.0, 12});
    for (CpuKernels const* k : all_kernels()) {
        Memory memory(unit_bound(made.grid, 32));
        k->make(made.tiles, made.grid, memory.begin());
        EXPECT_TRUE((Unit{memory.begin(), made.grid}).wide());
    }
}

}  // namespace
}  // namespace sluice::lines
