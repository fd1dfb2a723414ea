// The arithmetic of the arena.
// SPDX-License-Identifier: Apache-2.0
#include "planning/store_memory.h"

#include <algorithm>
#include <cmath>

#include "kernel/planes/tile.h"
#include "store/filling.h"

namespace sluice::planning {
namespace {

double up_to(double bytes, double unit) {
    return std::ceil(bytes / unit) * unit;
}

}  // namespace

std::uint64_t arena_bytes(LoadedScan const& s) {
    double const page = s.large_pages ? double{2 << 20} : 4096;
    double const tiles = std::ceil(static_cast<double>(s.frames) / double{planes::tile_frames});
    if (s.tile_bytes <= 0)
        return static_cast<std::uint64_t>(
            up_to(static_cast<double>(s.frames * s.pixels * index{s.value_bytes}), page));
    auto const bound = static_cast<std::uint64_t>(planes::tile_bound(s.blocks, 8 * s.value_bytes));
    auto const piece = static_cast<double>(store::piece_of(bound));
    double const tile = up_to(s.tile_bytes, planes::tile_alignment);
    // A worker goes to the next piece as soon as the largest tile would not fit.
    double const in_piece = std::floor((piece - static_cast<double>(bound)) / tile) + 1;
    double const whole = std::floor(tiles / in_piece);
    double const of_whole = up_to(std::min(piece, in_piece * tile), page);
    // What is left is shared out: each worker has a piece that it does not fill.
    double const rest = (tiles - whole * in_piece) * tile;
    double const workers = std::min<double>(s.threads, tiles);
    return static_cast<std::uint64_t>(whole * of_whole + rest + workers * page / 2);
}

std::uint64_t worker_bytes(LoadedScan const& s) {
    double const frames = planes::tile_frames;
    double const planes_of_frame = static_cast<double>(s.blocks * 8 * index{s.value_bytes} * 8);
    double const stored = s.stored_bytes * frames;
    return static_cast<std::uint64_t>(s.threads *
                                      (frames * planes_of_frame + stored + double{1 << 19}));
}

std::uint64_t value_worker_bytes(LoadedScan const& s) {
    double const frame = static_cast<double>(s.pixels * index{s.value_bytes});
    double const stored = s.stored_bytes * double{planes::tile_frames};
    // A frame is unpacked, and its values are put in order.
    return static_cast<std::uint64_t>(s.threads * (2 * frame + stored + double{1 << 19}));
}

std::uint64_t index_bytes(LoadedScan const& s) {
    constexpr index of_frame = 16, of_tile = 9;
    return static_cast<std::uint64_t>(s.frames * of_frame +
                                      s.frames / planes::tile_frames * of_tile);
}

}  // namespace sluice::planning
