// Which rectangles of many meet a given one: a packed R-tree that is built once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/czi.h"

namespace sluice::slide {

/// Edges of a rectangle; right and bottom do not belong to it.
struct Box {
    index left = 0, top = 0, right = 0, bottom = 0;
    bool meets(Box const& b) const {
        return left < b.right && b.left < right && top < b.bottom && b.top < bottom;
    }
    void add(Box const& b);
};

inline Box box_of(Rect const& r) {
    return {r.x, r.y, r.x + r.width, r.y + r.height};
}

/// Leutenegger's sort-tile-recursive packing (doi:10.1109/ICDE.1997.582015): a query costs
/// O(log n + k) for tiles that hardly overlap.
class RectIndex {
  public:
    RectIndex() = default;
    explicit RectIndex(std::vector<Box> boxes);
    /// Appends the numbers of the boxes that meet `box`, in no particular order.
    void find(Box const& box, std::vector<std::int32_t>& out) const;

  private:
    struct Level {
        std::vector<Box> boxes;
    };
    std::vector<std::int32_t> numbers_;  ///< of the boxes as they are sorted
    std::vector<Level> levels_;          ///< levels_[0]: the boxes; each next: groups of `fan`
    void descend(std::size_t level, std::size_t node, Box const& box,
                 std::vector<std::int32_t>& out) const;
};

}  // namespace sluice::slide
