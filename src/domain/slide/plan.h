// Which tiles a region needs, and of each the rectangles that no other tile hides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/tile_source.h"
#include "domain/slide/visible.h"

namespace sluice::slide {

/// One tile on the grid of the level that is read; positions count from the region's corner.
struct Placed {
    std::int32_t tile = 0;
    std::optional<TilePlace> where;  ///< known already when heads were read
    Box box;                         ///< the whole tile, also what lies outside of the region
    index width = 0, height = 0;  ///< pixels it has after decoding; other than the box: resampled
    std::vector<Box> visible;
    int reduction = 1;  ///< stored pixels per pixel after decoding
    std::unique_ptr<Mask> mask;
    std::optional<Error> mask_error;  ///< the mask is damaged, and so the tile
    /// Whether the tile's mask, if it has one, calls a pixel of the region valid.
    bool valid(index x, index y) const;
};

/// What a read will do.
struct Plan {
    Shape shape;
    PixelFormat format;
    index scale = 1;  ///< full-resolution pixels per pixel
    int reduction = 1;
    /// The tiles with visible pixels, by position in the file or, with masks, in the order they are
    /// drawn.
    std::vector<Placed> tiles;
    bool masks = false;
    bool covered = false;  ///< whether every pixel is under a tile
};

/// Reads nothing, unless `with_masks`: then the head of each tile, for its mask.
Result<Plan> make_plan(TileSource const& source, Model const& model, Selection const& region,
                       int level, ReadOptions const& options, bool with_masks, Stats& stats);

/// Refuses a large image of everything where tiles cover hardly any of it. Call it before memory is
/// taken for the image.
Status check_sparse(Model const& model, Selection const& region, int level, Shape const& image);

/// The rectangle that a region stands for, which meets the bounds.
Result<Rect> rect_of(Model const& model, Selection const& region);
/// The pixel type of the tiles of a plane.
Result<PixelType> type_of(Model const& model, PlaneIndex const& plane, int level);
Result<Shape> shape_of(Model const& model, Selection const& region, int level, int reduction);

/// Pixels of a level under its tiles, as full-resolution pixels; of one scene or of all.
double coverage(Model const& model, Selection const& region, int level);

/// "X 10 Y 20 (M 3, C 0 Z 1, scene 0)".
std::string text_of(Tile const& tile);
/// An error of one tile: where it is in the slide and in the file.
Error tile_error(TileSource const& source, Model const& model, std::int32_t tile, Error error);

}  // namespace sluice::slide
