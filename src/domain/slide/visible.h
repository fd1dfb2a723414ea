// What of a rectangle is not hidden by others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/rect_index.h"

namespace sluice::slide {

/// The common part; empty (right <= left) where they do not overlap.
Box common(Box const& a, Box const& b);
inline bool empty(Box const& b) {
    return b.right <= b.left || b.bottom <= b.top;
}
inline index area(Box const& b) {
    return (b.right - b.left) * (b.bottom - b.top);
}

/// Takes `hole` out of each of `pieces`; what is left are again rectangles that do not overlap.
void subtract(std::vector<Box>& pieces, Box const& hole);

}  // namespace sluice::slide
