// Deals patterns to lanes; the order is that of places alone, never of threads.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/thread_lanes.h"

#include <algorithm>
#include <numeric>

namespace sluice::ptycho {

ThreadLanes deal(std::vector<WindowPlace> const& places, index n) {
    auto const at = [&](index i) -> WindowPlace const& {
        return places[static_cast<std::size_t>(i)];
    };
    std::vector<index> sorted(places.size());
    std::iota(sorted.begin(), sorted.end(), index{0});
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](index a, index b) { return at(a).row < at(b).row; });
    auto const middle = sorted.begin() + (std::ssize(sorted) + 1) / 2;
    std::sort(sorted.begin(), middle);
    std::sort(middle, sorted.end());
    ThreadLanes lanes;
    for (auto upper = sorted.begin(), lower = middle; upper != middle; ++upper) {
        lanes.order.push_back(*upper);
        if (lower != sorted.end()) lanes.order.push_back(*lower++);
    }
    for (index i : lanes.order) lanes.places.push_back(at(i));
    for (auto i = sorted.begin(); i != middle; ++i)
        lanes.above = std::max(lanes.above, at(*i).row + n);
    lanes.below = lanes.above;
    lanes.left = middle == sorted.end() ? 0 : at(*middle).col;
    for (auto i = middle; i != sorted.end(); ++i) {
        lanes.below = std::min(lanes.below, at(*i).row);
        lanes.left = std::min(lanes.left, at(*i).col);
        lanes.right = std::max(lanes.right, at(*i).col + n);
    }
    return lanes;
}

}  // namespace sluice::ptycho
