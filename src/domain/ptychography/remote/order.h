// Order: the groups of an iteration as lists that devices read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/remote/places.h"

namespace sluice::ptycho::remote {

/// Where a group is in the lists.
struct Group {
    index first = 0, count = 0;  ///< slots of the iteration
    index tile = 0, tiles = 0;   ///< those that its windows touch
};

struct Order {
    std::vector<std::int32_t> patterns = {};  ///< [slot of the iteration]
    std::vector<std::int32_t> begins = {};    ///< [group + 1], slots of the iteration
    std::vector<Tile> tiles = {};             ///< of all groups
    std::vector<std::int32_t> windows = {};   ///< of all tiles, slots in the group
    std::vector<Group> groups = {};
};

/// Of windows of n pixels a side on a canvas.
Order order_of(std::vector<std::vector<index>> const& groups, std::vector<Corner> const& corners,
               index n, index rows, index cols);

/// Tiles that a window touches at most, and tiles of a canvas.
index most_touched(index n);
index tiles_of(index rows, index cols);

}  // namespace sluice::ptycho::remote
