// ThreadLanes: the patterns of a group in two halves by where they lie, each with a sum of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/model.h"

namespace sluice::ptycho {

/// Two threads that add to the same rows of a sum send each other its lines, which costs more than
/// the sum. So each has a lane: one the patterns that lie above, one those that lie below. Both
/// lanes add to the same rows of the canvas only where their windows overlap.
struct ThreadLanes {
    static constexpr index count = 2;

    std::vector<index> order;         ///< places in the group; even ones are the first lane's
    std::vector<WindowPlace> places;  ///< [i] of order[i]
    index above = 0;                  ///< the first lane has no rows from here on
    index below = 0;                  ///< the second lane has no rows before
    index left = 0, right = 0;        ///< columns of the second lane

    static index lane(index i) { return i % count; }
};

/// For windows of n rows. Within a lane patterns stay in the order of the group.
ThreadLanes deal(std::vector<WindowPlace> const& places, index n);

}  // namespace sluice::ptycho
