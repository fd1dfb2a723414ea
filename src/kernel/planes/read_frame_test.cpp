// What a tile was made of: the counts that read_frame gives back, the moments that making it finds
// and the sums of its frames, each beside its obviously correct twin.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/read_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "kernel/planes/cpu.h"
#include "kernel/planes/make_tile.h"
#include "launch/map.h"

namespace sluice::planes {
namespace {

// Counts of sixteen frames, [frame][row][col]: most of them small, and blocks without any.
std::vector<std::uint32_t> counts_of(Grid grid, int most_planes) {
    std::mt19937 random(5);
    std::vector<std::uint32_t> counts(
        static_cast<std::size_t>(tile_frames * grid.rows * grid.cols));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::size_t const col = i % static_cast<std::size_t>(grid.cols);
        if (col / 8 % 3 == 1) continue;
        unsigned const planes = random() % 20 == 0 ? static_cast<unsigned>(most_planes) : 2;
        counts[i] = static_cast<std::uint32_t>(random()) >> (32 - planes);
    }
    return counts;
}

struct TileMemory {
    struct Free {
        void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte, Free> bytes;
};

TileMemory tile_of(std::vector<std::uint32_t> const& counts, Grid grid, int planes,
                   Isa isa = Isa::baseline, std::uint8_t const* need = nullptr,
                   Moment* moments = nullptr) {
    index const plane = FrameRows::plane_bytes(grid), pixels = grid.rows * grid.cols;
    std::vector<std::byte> rows(static_cast<std::size_t>(tile_frames * planes * plane + 8));
    for (index f = 0; f < tile_frames; ++f)
        for (index r = 0; r < grid.rows; ++r)
            for (index c = 0; c < grid.cols; ++c)
                for (int p = 0; p < planes; ++p) {
                    auto const v = counts[static_cast<std::size_t>(f * pixels + r * grid.cols + c)];
                    rows[static_cast<std::size_t>((f * planes + p) * plane + r * grid.block_cols() +
                                                  c / 8)] |=
                        static_cast<std::byte>((v >> p & 1) << (c % 8));
                }
    std::vector<std::uint8_t> const planes_of_row(static_cast<std::size_t>(grid.block_rows()),
                                                  static_cast<std::uint8_t>(planes));
    auto const size = static_cast<std::size_t>(tile_bound(grid.blocks(), planes));
    TileMemory tile;
    tile.bytes.reset(static_cast<std::byte*>(::operator new (size, std::align_val_t{64})));
    EXPECT_GT(
        tile_making(isa).seal({rows.data(), planes * plane, plane}, grid, planes_of_row.data(),
                              need, planes % 3 == 0, tile.bytes.get(), moments),
        0);
    return tile;
}

TEST(ReadFrame, GivesTheCountsBackAndAgreesWithItsTwin) {
    for (Grid grid : {Grid{24, 24}, {1, 1}, {5, 3}, {9, 65}, {65, 9}, {40, 72}})
        for (int planes : {1, 8, 16, 32}) {
            auto const counts = counts_of(grid, planes);
            TileMemory const memory = tile_of(counts, grid, std::max(planes, 2));
            Tile const tile{memory.bytes.get(), grid.blocks()};
            auto const pixels = static_cast<std::size_t>(grid.rows * grid.cols);
            for (index f = 0; f < tile_frames; ++f) {
                auto const begin = counts.begin() + f * grid.rows * grid.cols;
                std::vector<double> const expected(begin, begin + grid.rows * grid.cols);
                std::vector<double> out(pixels, -1), twin(pixels, -1);
                read_frame(tile, grid, f, out.data());
                launch::map(grid.rows * grid.cols, FramePixel{tile, grid, f, twin.data()});
                ASSERT_EQ(out, expected) << grid.rows << "x" << grid.cols << ", frame " << f;
                ASSERT_EQ(twin, expected) << grid.rows << "x" << grid.cols << ", frame " << f;
            }
        }
}

TEST(MakingTiles, FindsTheMomentsOfWhatTheyShow) {
    for (Isa isa : compiled_isas())
        for (Grid grid : {Grid{24, 24}, {1, 1}, {5, 3}, {9, 65}, {65, 9}, {40, 136}})
            for (int planes : {2, 5, 8, 16, 32})
                for (bool const all : {true, false}) {
                    if (!runs_here(isa)) continue;
                    std::vector<std::uint8_t> need(static_cast<std::size_t>(grid.blocks()), 1);
                    for (std::size_t b = 0; b < need.size(); b += 3) need[b] = all;
                    std::vector<Moment> found(tile_frames), twin(tile_frames);
                    TileMemory const memory = tile_of(counts_of(grid, planes), grid, planes, isa,
                                                      all ? nullptr : need.data(), found.data());
                    std::vector<MaskWord> words;
                    for (index b = 0; b < grid.blocks(); ++b)
                        words.push_back({~std::uint64_t{0}, static_cast<std::uint32_t>(b)});
                    std::uint64_t const offset = 0;
                    TileSet const set{memory.bytes.get(), &offset, 1, tile_frames, grid};
                    launch::map(tile_frames,
                                Moments{set, words.data(), std::ssize(words), twin.data()});
                    for (std::size_t f = 0; f < found.size(); ++f) {
                        ASSERT_EQ(found[f].sum, twin[f].sum) << grid.rows << "x" << grid.cols;
                        ASSERT_EQ(found[f].row, twin[f].row) << grid.rows << "x" << grid.cols;
                        ASSERT_EQ(found[f].col, twin[f].col) << grid.rows << "x" << grid.cols;
                    }
                }
}

// Of the counts that the tile was made of; full counts are the largest sums that there are.
TEST(PatternSum, IsThatOfTheChosenFramesOfOneTileOrSeveral) {
    Grid const grid{24, 40};
    auto const pixels = static_cast<std::size_t>(grid.rows * grid.cols);
    for (Isa isa : compiled_isas())
        for (int planes : {1, 3, 4, 5, 8, 13, 31})
            for (bool const full : {false, true})
                for (std::uint16_t const frames : {0xffff, 0x8421, 1, 0})
                    for (std::size_t const copies : {1, 2, 15}) {
                        if (!runs_here(isa)) continue;
                        auto counts = counts_of(grid, planes);
                        if (full) std::ranges::fill(counts, (1U << planes) - 1);
                        for (auto& c : counts) c &= (1U << planes) - 1;
                        TileMemory const memory = tile_of(counts, grid, planes, isa);
                        std::vector<Tile> const tiles(copies, {memory.bytes.get(), grid.blocks()});
                        std::vector<std::uint16_t> const masks(copies, frames);
                        std::vector<std::uint64_t> sums(
                            static_cast<std::size_t>(grid.blocks()) * 64, 7);
                        cpu_kernels(isa).pattern_sum(tiles, masks.data(), 0, grid.blocks(),
                                                     sums.data());
                        for (std::size_t i = 0; i < pixels; ++i) {
                            auto const row = static_cast<index>(i) / grid.cols;
                            auto const col = static_cast<index>(i) % grid.cols;
                            std::uint64_t expected = 0;
                            for (std::size_t f = 0; f < tile_frames; ++f)
                                if (frames >> f & 1) expected += counts[f * pixels + i];
                            ASSERT_EQ(sums[static_cast<std::size_t>(grid.block_of(row, col) * 64 +
                                                                    Grid::bit_of(row, col))],
                                      7 + copies * expected)
                                << name_of(isa) << " " << planes << " " << full << " " << copies;
                        }
                    }
}

}  // namespace
}  // namespace sluice::planes
