// The processor's kernels over bit planes once more, by the functors: slow and obviously right.
// SPDX-License-Identifier: Apache-2.0
#include "device/per_isa.h"
#include "kernel/planes/cpu.h"
#include "launch/map.h"

namespace sluice::planes {
namespace {

constexpr std::uint64_t no_offset = 0;

TileSet one(Tile tile, index block_cols) {
    Grid const grid{tile.blocks / block_cols * block_edge, block_cols * block_edge};
    return {tile.base, &no_offset, 1, tile_frames, grid};
}

void virtual_sum(std::span<Tile const> tiles, SplitMask const& mask,
                 std::uint64_t (*out)[tile_frames]) {
    std::vector<MaskWord> words(mask.partial.begin(), mask.partial.end());
    for (BlockRun const run : mask.whole)
        for (std::uint32_t k = 0; k < run.count; ++k)
            words.push_back({~std::uint64_t{0}, run.first + k});
    index const first[] = {0, std::ssize(words)};
    for (std::size_t t = 0; t < tiles.size(); ++t)
        launch::map(tile_frames, VirtualSum{one(tiles[t], 1), words.data(), first, 1, out[t]});
}

void moments(std::span<Tile const> tiles, index block_cols, std::span<MaskWord const> mask,
             Moment (*out)[tile_frames]) {
    for (std::size_t t = 0; t < tiles.size(); ++t)
        launch::map(tile_frames,
                    Moments{one(tiles[t], block_cols), mask.data(), std::ssize(mask), out[t]});
}

void pattern_stats(Tile tile, std::uint16_t frame_mask, index first, index last,
                   PixelStats* stats) {
    std::vector<PixelStats> here(static_cast<std::size_t>(tile.blocks * 64));
    PatternStats const kernel{one(tile, 1), &frame_mask, here.data()};
    for (index i = first * 64; i < last * 64; ++i) {
        kernel(i);
        PixelStats const& s = here[static_cast<std::size_t>(i)];
        stats[i].sum += s.sum;
        stats[i].squares += s.squares;
        stats[i].max = s.max > stats[i].max ? s.max : stats[i].max;
    }
}

void pattern_sum(std::span<Tile const> tiles, std::uint16_t const* frame_mask, index first,
                 index last, std::uint64_t* sums) {
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        std::vector<PixelStats> stats(static_cast<std::size_t>(tiles[t].blocks * 64));
        pattern_stats(tiles[t], frame_mask[t], first, last, stats.data());
        for (index i = first * 64; i < last * 64; ++i)
            sums[i] += stats[static_cast<std::size_t>(i)].sum;
    }
}

void pattern_squares(std::span<Tile const> tiles, std::uint16_t const* frame_mask, index first,
                     index last, double* sums, double* squares) {
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        std::vector<PixelStats> stats(static_cast<std::size_t>(tiles[t].blocks * 64));
        pattern_stats(tiles[t], frame_mask[t], first, last, stats.data());
        for (index i = first * 64; i < last * 64; ++i) {
            sums[i] += static_cast<double>(stats[static_cast<std::size_t>(i)].sum);
            squares[i] += stats[static_cast<std::size_t>(i)].squares;
        }
    }
}

void weighted_sums(Tile tile, std::span<float const* const> weights, double (*out)[tile_frames]) {
    for (std::size_t d = 0; d < weights.size(); ++d)
        launch::map(tile_frames, WeightedSum{one(tile, 1), weights[d], out[d]});
}

constexpr CpuKernels reference{virtual_sum,     nullptr,       moments,      pattern_sum,
                               pattern_squares, pattern_stats, weighted_sums};

}  // namespace

CpuKernels const& kernels_for(Device const& device) {
    return table_for(device, reference, cpu_kernels);
}

}  // namespace sluice::planes
