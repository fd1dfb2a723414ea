// The tiles of a file in planes and levels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "domain/slide/rect_index.h"
#include "sluice/slide.h"

namespace sluice::slide {

/// The tiles of one plane and level.
struct Group {
    std::vector<std::int32_t> tiles;  ///< ascending in Tile::order
    Box bounds;
    bool mixed = false;  ///< the pixel types differ
    PixelType pixel_type = PixelType::gray8;

    /// Appends the tiles that meet `box`, in the order they are drawn.
    void find(std::vector<Tile> const& tiles_of_slide, Box const& box,
              std::vector<std::int32_t>& out) const;

  private:
    /// Made at the first request: of a file's many planes few are read.
    mutable std::once_flag once_;
    mutable RectIndex index_;
};

struct Model {
    std::vector<Tile> tiles;
    std::vector<Level> levels;
    std::vector<Scene> scenes;
    Rect bounds;
    PlaneIndex first = {}, counts = {};
    std::map<std::pair<PlaneIndex, std::int32_t>, Group> groups;
    std::vector<std::string> notes;

    Group const* group(PlaneIndex const& plane, int level) const;
};

/// Sorts the tiles that are listed into scenes and planes.
void complete(Model& model);

}  // namespace sluice::slide
