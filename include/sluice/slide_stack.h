// Stacks of a slide: many planes, or many tiles, in one array.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sluice/slide.h"

namespace sluice::slide {

/// Indices along a dimension, both ends included.
struct IndexRange {
    std::int32_t first = 0, last = 0;
};
/// One per dimension, in the order of Dimension.
using PlaneRanges = std::array<IndexRange, dimension_count>;

/// Which planes, and what of each.
struct Planes {
    PlaneRanges ranges = {};
    std::optional<std::int32_t> scene = {};  ///< none: all scenes together
    std::optional<Rect> rect = {};           ///< as in Selection
    int level = 0;
    std::optional<double> zoom = {};  ///< in (0, 1], as in Slide::read_at(); instead of `level`

    /// The first of these planes.
    Selection region() const;
};

/// Images of one shape, one after the other: [extents...][height][width][samples].
struct Stack {
    /// A letter for each entry of `extents`: dimensions with more than one index, in the order
    /// B, V, H, I, R, T, C, Z of OME-Zarr; "N" for tiles.
    std::string axes;
    std::vector<index> extents;
    Shape shape;
    Buffer pixels;
    index planes = 1;          ///< all of them; 1 for tiles
    index planes_without = 0;  ///< those without a tile in the region

    /// All extents, with the samples where there are several.
    std::vector<index> full_shape() const;
};

/// Reads planes one after the other, each with all threads. Errors: planes of different pixel
/// types, a region without any tile, more planes than the tiles of the file explain, and those of
/// Slide::read().
Result<Stack> read_planes(Slide const& slide, Planes const& planes, ReadOptions const& options);

/// The tiles of a plane and level that meet a rectangle, or all, in the order they are drawn.
Result<std::vector<std::int32_t>> tiles_in(Slide const& slide, Selection const& region, int level);

/// Tiles as they are stored, of one shape and type.
Result<Stack> read_tile_stack(Slide const& slide, std::vector<std::int32_t> const& tiles,
                              ReadOptions const& options);

/// Which pixels of a stack are not the file's: background, repeated rows, damaged tiles that were
/// filled. Sentences for people, empty where all pixels are the file's.
std::vector<std::string> remarks(Stack const& stack, Stats const& stats,
                                 std::vector<BadTile> const& bad, ReadOptions const& options);

/// The attachment of this name; "NAME:1" is the second of several that share one. CZI files only.
Result<Attachment> attachment_named(Slide const& slide, std::string const& name);

}  // namespace sluice::slide
