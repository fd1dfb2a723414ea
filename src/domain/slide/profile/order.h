// The geometry of reading: jumps in the file, and tiles that are decoded more than once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/slide_profile.h"

namespace sluice::slide {

/// Bytes of the file that belong to one tile.
struct Stretch {
    std::uint64_t begin = 0, end = 0;
};

/// The jumps between stretches that are read one after the other.
SeekStats seeks_of(std::string order, std::vector<Stretch> const& stretches);

/// How many of `tiles` meet each of them, itself included, were each read by its own rectangle.
Amplification amplification_of(Slide const& slide, Selection const& region, int level,
                               std::vector<std::int32_t> const& tiles);

/// The part in the middle of a region that meets at most `most` tiles.
Selection middle_of(Slide const& slide, Selection const& region, int level, index most);

/// Tiles of a region, in the order they are drawn.
std::vector<std::int32_t> tiles_of(Slide const& slide, Selection const& region, int level);

/// What the region stands for: its rectangle, or the bounds of its scene or of everything.
Rect extent_of(Slide const& slide, Selection const& region);

}  // namespace sluice::slide
