// The steps from a frame's bits to a tile, per instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "kernel/planes/kernels.h"

namespace sluice::planes {

/// Sixteen frames as bit planes, a row of pixels after the other: bit c % 8 of byte
/// r * block_cols + c / 8 of a plane is pixel (r, c). A plane has rows for whole blocks, zeros
/// where the detector has no pixel, and eight bytes more that may be read.
struct FrameRows {
    std::byte const* base = nullptr;
    index frame_stride = 0, plane_stride = 0;  ///< bytes

    /// Bytes of a plane.
    static index plane_bytes(Grid grid) {
        return block_edge * grid.block_rows() * grid.block_cols();
    }
};

struct TileMaking {
    /// Writes the tile of these frames; a row of blocks has planes_of_row[row] planes. Where
    /// need[block] is 0 (null: nowhere) the tile shows zeros. Returns the tile's bytes, or -1 where
    /// the records outgrow what an entry can address. `out` is 64-byte aligned and has tile_bound()
    /// bytes. A tile that is kept for later may go past the caches. `moments` (null: not wanted)
    /// receives those of each frame over all pixels that the tile shows.
    index (*seal)(FrameRows frames, Grid grid, std::uint8_t const* planes_of_row,
                  std::uint8_t const* need, bool for_later, std::byte* out, Moment* moments);

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
