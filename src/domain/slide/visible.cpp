// Subtraction of rectangles.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/visible.h"

#include <algorithm>

namespace sluice::slide {

Box common(Box const& a, Box const& b) {
    return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
            std::min(a.bottom, b.bottom)};
}

void subtract(std::vector<Box>& pieces, Box const& hole) {
    std::size_t const n = pieces.size();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
        Box const p = pieces[i];
        if (!p.meets(hole)) {
            pieces[kept++] = p;
            continue;
        }
        // Whole rows above and below first: long rows are copied fastest.
        index const top = std::max(p.top, hole.top), bottom = std::min(p.bottom, hole.bottom);
        if (p.top < top) pieces.push_back({p.left, p.top, p.right, top});
        if (bottom < p.bottom) pieces.push_back({p.left, bottom, p.right, p.bottom});
        if (p.left < hole.left) pieces.push_back({p.left, top, hole.left, bottom});
        if (hole.right < p.right) pieces.push_back({hole.right, top, p.right, bottom});
    }
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(kept),
                 pieces.begin() + static_cast<std::ptrdiff_t>(n));
}

}  // namespace sluice::slide
