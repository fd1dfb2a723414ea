// The steps from a frame's bits to a tile, per instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "kernel/planes/tile.h"

namespace sluice::planes {

struct TileMaking {
    /// Eight rows of bits (row r at rows + r * stride, 8 columns a byte) to the words of a row of
    /// blocks, one after the other. Rows from row_count on are zeros.
    void (*cut_blocks)(std::byte const* rows, index stride, index row_count, index block_cols,
                       std::uint64_t* out);

    /// Writes the tile whose words are words[frame * frame_stride + plane * blocks + block]; a row
    /// of blocks has planes_of_row[row] planes. Where need[block] is 0 (null: nowhere) the tile
    /// shows zeros. Returns the tile's bytes, or -1 where the records outgrow what an entry can
    /// address. `out` is 64-byte aligned and has tile_bound() bytes.
    index (*seal)(std::uint64_t const* words, index frame_stride, Grid grid,
                  std::uint8_t const* planes_of_row, std::uint8_t const* need, std::byte* out);

    /// Whether any of n bytes is not zero.
    bool (*any)(std::byte const* bytes, index n);
};

TileMaking const& tile_making(Isa isa);

namespace baseline {
TileMaking tile_making();
}
namespace avx2 {
TileMaking tile_making();
}
namespace avx512 {
TileMaking tile_making();
}

}  // namespace sluice::planes
