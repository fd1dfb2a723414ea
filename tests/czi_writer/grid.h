// Mosaics: grids of overlapping tiles, and their pyramids.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "czi_writer/czi_writer.h"

namespace sluice::test {

/// A mosaic of one scene. Every plane has the same tiles, and M counts them row by row.
struct Grid {
    slide::Rect area;  ///< all of it; tiles at the right and bottom may be smaller
    index tile_width = 64, tile_height = 64;
    index overlap = 0;  ///< pixels that neighbours share
    std::int32_t channels = 1, slices = 1, times = 1;
    Tile like;  ///< pixel type, compression, scene and so on of the tiles
};

/// The area of columns x rows whole tiles.
slide::Rect area_of(Grid const& grid, index columns, index rows, index x = 0, index y = 0);

/// The tiles of the full resolution.
std::vector<Tile> mosaic(Grid const& grid);

/// The tiles of the levels 1/factor, 1/factor^2, ..., until one tile holds all of it. They do not
/// overlap and have no M.
std::vector<Tile> pyramid(Grid const& grid, index factor = 2);

}  // namespace sluice::test
