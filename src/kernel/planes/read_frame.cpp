// Reads a frame block by block, bit by bit: most bits of most frames are zeros.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/read_frame.h"

#include <algorithm>
#include <bit>

namespace sluice::planes {

void read_frame(Tile tile, Grid grid, index frame, double* out) {
    std::fill_n(out, grid.rows * grid.cols, 0.0);
    index const block_cols = grid.block_cols();
    for (index block = 0; block < grid.blocks(); ++block) {
        Tile::Entry const e = tile.entry(block);
        if (e.planes == 0) continue;
        std::uint64_t const* const words = tile.words(e);
        double* const corner =
            out + block / block_cols * block_edge * grid.cols + block % block_cols * block_edge;
        for (int p = 0; p < e.planes; ++p)
            for (std::uint64_t w = words[p * tile_frames + frame]; w != 0; w &= w - 1) {
                int const bit = std::countr_zero(w);
                // Pixels over the detector's edge have no bits.
                corner[bit / block_edge * grid.cols + bit % block_edge] +=
                    static_cast<double>(std::uint64_t{1} << p);
            }
    }
}

}  // namespace sluice::planes
