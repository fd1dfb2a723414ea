// A tile: sixteen frames as bit planes, cut into blocks of 8x8 pixels; the unit of the compact
// store. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/bits.h"

namespace sluice::planes {

inline constexpr index tile_frames = 16;
inline constexpr index block_edge = 8;  // 8x8 pixels of one plane of one frame are one 64-bit word
inline constexpr index tile_alignment = 64;

/// How many blocks cover a detector; the last column and row of blocks may hang over its edge, and
/// the pixels there count zero.
struct Grid {
    index rows = 0, cols = 0;  // of the detector, in pixels

    SLUICE_HD index block_rows() const { return (rows + block_edge - 1) / block_edge; }
    SLUICE_HD index block_cols() const { return (cols + block_edge - 1) / block_edge; }
    SLUICE_HD index blocks() const { return block_rows() * block_cols(); }
    /// Bit 8*(row % 8) + col % 8 of the word of block (row / 8) * block_cols + col / 8.
    SLUICE_HD index block_of(index row, index col) const {
        return row / block_edge * block_cols() + col / block_edge;
    }
    SLUICE_HD static int bit_of(index row, index col) {
        return static_cast<int>(row % block_edge * block_edge + col % block_edge);
    }
};

/// Where the totals of a block (the sum of its 64 pixels, per frame) are.
enum class Totals : std::uint8_t {
    narrow,  ///< one byte per frame, in the tile's table of totals
    wide,    ///< four bytes per frame, at the head of the block's record
    none,    ///< nowhere, they do not fit: add up the planes
};

/// The bytes of a tile, all offsets from its start:
///   u32 entry[blocks + 1]        bits 0-5 planes, 6-7 Totals, 8-31 offset of the record / 64;
///                                the last one: the offset of the list of exceptions
///   u8  totals[blocks][16]       64-byte aligned; zeros where Totals is not narrow
///   records, 64-byte aligned     [u32 totals[16] if wide] u64 word[planes][16]
///   exceptions, 64-byte aligned  u32 count, u32 block[count]: those whose Totals is not narrow
/// A block's planes are those up to the highest that has a bit in any of its sixteen frames.
struct Tile {
    std::byte const* base = nullptr;
    index blocks = 0;

    struct Entry {
        int planes;
        Totals totals;
        index offset;
    };

    SLUICE_HD static constexpr index totals_offset(index blocks) {
        return (blocks * 4 + 4 + tile_alignment - 1) / tile_alignment * tile_alignment;
    }
    SLUICE_HD static constexpr index records_offset(index blocks) {
        return totals_offset(blocks) +
               (blocks * tile_frames + tile_alignment - 1) / tile_alignment * tile_alignment;
    }
    SLUICE_HD Entry entry(index block) const {
        auto const e = reinterpret_cast<std::uint32_t const*>(base)[block];
        return {static_cast<int>(e & 63), static_cast<Totals>(e >> 6 & 3),
                static_cast<index>(e >> 8) * tile_alignment};
    }
    SLUICE_HD static std::uint32_t pack(Entry e) {
        return static_cast<std::uint32_t>(e.planes) | static_cast<std::uint32_t>(e.totals) << 6 |
               static_cast<std::uint32_t>(e.offset / tile_alignment) << 8;
    }
    /// Blocks without narrow totals, the number of them first.
    SLUICE_HD std::uint32_t const* exceptions() const {
        return reinterpret_cast<std::uint32_t const*>(base + entry(blocks).offset);
    }
    SLUICE_HD std::uint8_t const* narrow(index block) const {
        return reinterpret_cast<std::uint8_t const*>(base + totals_offset(blocks)) +
               block * tile_frames;
    }
    SLUICE_HD std::uint32_t const* wide(Entry e) const {
        return reinterpret_cast<std::uint32_t const*>(base + e.offset);
    }
    /// [plane][frame]
    SLUICE_HD std::uint64_t const* words(Entry e) const {
        return reinterpret_cast<std::uint64_t const*>(
            base + e.offset + (e.totals == Totals::wide ? 4 * tile_frames : 0));
    }
};

/// The most bytes a tile of `blocks` blocks and `planes` planes can take.
constexpr index tile_bound(index blocks, int planes) {
    return Tile::records_offset(blocks) +
           blocks * tile_frames * (4 + 8 * static_cast<index>(planes)) +
           (blocks * 4 + 4 + 63) / 64 * 64;
}

/// Tiles in memory, one after the other in scan order.
struct TileSet {
    std::byte const* base = nullptr;
    std::uint64_t const* offsets = nullptr;  ///< of each tile, from base
    index tiles = 0;
    index frames = 0;  ///< of the last tile only the first frames % 16 may be in use
    Grid grid = {};

    SLUICE_HD Tile tile(index t) const { return {base + offsets[t], grid.blocks()}; }
};

/// A detector mask within one block.
struct MaskWord {
    std::uint64_t bits;
    std::uint32_t block;
    std::uint32_t unused = 0;  // so that no byte of a copy is undefined
};

}  // namespace sluice::planes
