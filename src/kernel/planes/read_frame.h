// One frame out of a tile, as counts: what a probe shows while it is dragged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/planes/tile.h"

namespace sluice::planes {

/// The same, obviously correct: element i = pixel row * cols + col of frame `frame` of the tile.
struct FramePixel {
    Tile tile;
    Grid grid;
    index frame;
    double* out;  ///< [row][col]

    SLUICE_HD void operator()(index i) const {
        index const row = i / grid.cols, col = i % grid.cols;
        Tile::Entry const e = tile.entry(grid.block_of(row, col));
        std::uint64_t v = 0;
        for (int p = 0; p < e.planes; ++p)
            v |= (tile.words(e)[p * tile_frames + frame] >> Grid::bit_of(row, col) & 1) << p;
        out[i] = static_cast<double>(v);
    }
};

/// Writes frame 0 .. 15 of a tile to out[row][col]; takes time for each bit that is set.
void read_frame(Tile tile, Grid grid, index frame, double* out);

}  // namespace sluice::planes
