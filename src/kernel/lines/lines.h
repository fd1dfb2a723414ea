// Lines: bit planes of 512 frames that are turned, so that a vector's bits are frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "kernel/planes/tile.h"

namespace sluice::lines {

inline constexpr index unit_frames = 512;
inline constexpr index unit_tiles = unit_frames / planes::tile_frames;
inline constexpr index line_words = unit_frames / 64;  // a line is one plane of one pixel
inline constexpr index line_bytes = 8 * line_words;

/// What a unit knows of a block. A plane's lines are those of the pixels in its map, in ascending
/// order, after those of lower planes; a pixel whose bits are all zeros has none.
struct Head {
    static constexpr int own_maps = 7;
    std::uint64_t map[own_maps];  ///< of the lowest planes
    std::uint32_t first;          ///< where the maps of further planes and then the lines begin,
                                  ///< in lines from the unit's begin
    std::uint8_t planes;
    std::uint8_t unused[3];
};
static_assert(sizeof(Head) == line_bytes);

/// Sums over squares of 8x8, 16x16 and 32x32 pixels: the levels of a unit's totals.
inline constexpr int levels = 3;

/// Squares of a level, of which the last column and row may hang over the detector's edge.
struct Squares {
    index rows = 0, cols = 0;

    static Squares of(planes::Grid grid, int level) {
        index const blocks = index{1} << level;
        return {(grid.block_rows() + blocks - 1) / blocks,
                (grid.block_cols() + blocks - 1) / blocks};
    }
    index count() const { return rows * cols; }
};

/// How wide the totals of a square are: the narrowest that holds the largest of the unit's frames.
enum class Width : std::uint8_t {
    none,  ///< all of them are zeros
    half,  ///< four bits: byte i has frame i in its low bits, frame 256 + i in the others
    one,   ///< bytes
    two,
    four,
};
inline constexpr index width_bytes[] = {0, unit_frames / 2, unit_frames, 2 * unit_frames,
                                        4 * unit_frames};

/// The bytes of a unit, on a boundary of 64:
///   u32 wide, then zeros up to 64 bytes
///   Head heads[blocks]
///   u32 squares[of all levels]   bits 0-2 Width, 3-31 where the totals are, in lines
///   totals, level after level, and the lines, on boundaries of 64 bytes
/// A frame's counts may add up to 2^32 or more where `wide` is not 0; such a unit has no totals.
/// Frames that the scan does not have are zeros.
struct Unit {
    std::byte const* base = nullptr;
    planes::Grid grid = {};

    bool wide() const { return *reinterpret_cast<std::uint32_t const*>(base) != 0; }
    Head const& head(index block) const {
        return reinterpret_cast<Head const*>(base + line_bytes)[block];
    }
    static constexpr index squares_offset(index blocks) { return line_bytes * (blocks + 1); }
    /// Number `square` of all levels, one after the other.
    std::uint32_t square(index square) const {
        return reinterpret_cast<std::uint32_t const*>(base + squares_offset(grid.blocks()))[square];
    }
    static Width width(std::uint32_t square) { return static_cast<Width>(square & 7); }
    std::byte const* totals(std::uint32_t square) const {
        return base + line_bytes * static_cast<index>(square >> 3);
    }
    std::uint64_t const* line(index number) const {
        return reinterpret_cast<std::uint64_t const*>(base + line_bytes * number);
    }
    std::uint64_t map(Head const& head, int plane) const {
        return plane < Head::own_maps ? head.map[plane] : line(head.first)[plane - Head::own_maps];
    }
    /// Lines that hold the maps of further planes.
    static constexpr index more_maps(int planes) {
        return planes > Head::own_maps ? (planes - Head::own_maps + line_words - 1) / line_words
                                       : 0;
    }
    /// Of the lowest plane.
    std::uint64_t const* lines(Head const& head) const {
        return line(head.first + more_maps(head.planes));
    }
};

/// Squares of all levels.
inline index all_squares(planes::Grid grid) {
    index n = 0;
    for (int level = 0; level < levels; ++level) n += Squares::of(grid, level).count();
    return n;
}

/// Where totals and lines begin.
inline index data_offset(planes::Grid grid) {
    index const end = Unit::squares_offset(grid.blocks()) + 4 * all_squares(grid);
    return (end + line_bytes - 1) / line_bytes * line_bytes;
}

/// The most bytes that a unit of so many planes can take.
inline index unit_bound(planes::Grid grid, int planes) {
    return data_offset(grid) + all_squares(grid) * width_bytes[4] +
           grid.blocks() * line_bytes * (64 * static_cast<index>(planes) + Unit::more_maps(planes));
}

/// Units in memory, in scan order.
struct UnitSet {
    std::byte const* base = nullptr;
    std::uint64_t const* offsets = nullptr;  ///< of each unit, from base
    index units = 0;
    index frames = 0;
    planes::Grid grid = {};

    Unit unit(index u) const { return {base + offsets[u], grid}; }
};

}  // namespace sluice::lines
