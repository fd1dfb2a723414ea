// Mosaics: grids of overlapping tiles, and their pyramids.
// SPDX-License-Identifier: Apache-2.0
#include "czi_writer/grid.h"

#include <algorithm>

namespace sluice::test {
namespace {

/// Adds the tile of `like` at a rectangle, cut to the area, for every plane.
void add_planes(Grid const& grid, Tile const& like, std::vector<Tile>& out) {
    for (std::int32_t t = 0; t < grid.times; ++t)
        for (std::int32_t z = 0; z < grid.slices; ++z)
            for (std::int32_t c = 0; c < grid.channels; ++c) {
                Tile tile = like;
                tile.at[slide::C] = c;
                tile.at[slide::Z] = z;
                tile.at[slide::T] = t;
                out.push_back(std::move(tile));
            }
}

slide::Rect cut(slide::Rect r, slide::Rect const& area) {
    r.width = std::min(r.width, area.x + area.width - r.x);
    r.height = std::min(r.height, area.y + area.height - r.y);
    return r;
}

}  // namespace

slide::Rect area_of(Grid const& grid, index columns, index rows, index x, index y) {
    return {x, y, columns * (grid.tile_width - grid.overlap) + grid.overlap,
            rows * (grid.tile_height - grid.overlap) + grid.overlap};
}

std::vector<Tile> mosaic(Grid const& grid) {
    std::vector<Tile> tiles;
    index const dx = grid.tile_width - grid.overlap, dy = grid.tile_height - grid.overlap;
    Tile tile = grid.like;
    tile.m = 0;
    for (index y = 0; y == 0 || y + grid.overlap < grid.area.height; y += dy)
        for (index x = 0; x == 0 || x + grid.overlap < grid.area.width; x += dx, ++tile.m) {
            tile.rect = cut({grid.area.x + x, grid.area.y + y, grid.tile_width, grid.tile_height},
                            grid.area);
            add_planes(grid, tile, tiles);
        }
    return tiles;
}

std::vector<Tile> pyramid(Grid const& grid, index factor) {
    std::vector<Tile> tiles;
    for (index f = factor; f / factor * grid.tile_width < grid.area.width ||
                           f / factor * grid.tile_height < grid.area.height;
         f *= factor) {
        Tile tile = grid.like;
        tile.m = slide::none;
        tile.pyramid_type = 2;
        for (index y = 0; y < grid.area.height; y += f * grid.tile_height)
            for (index x = 0; x < grid.area.width; x += f * grid.tile_width) {
                tile.rect = cut(
                    {grid.area.x + x, grid.area.y + y, f * grid.tile_width, f * grid.tile_height},
                    grid.area);
                tile.stored_width = (tile.rect.width + f - 1) / f;
                tile.stored_height = (tile.rect.height + f - 1) / f;
                add_planes(grid, tile, tiles);
            }
    }
    return tiles;
}

}  // namespace sluice::test
