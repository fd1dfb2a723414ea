// Compares every position with every other one.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/nearest.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sluice::ptycho {

double median_nearest(std::span<stem4d::Position const> positions, std::size_t step) {
    std::vector<double> nearest;
    for (std::size_t j = 0; j < positions.size(); j += step) {
        double least = HUGE_VAL;
        for (std::size_t i = 0; i < positions.size(); ++i)
            if (i != j)
                least = std::min(least, std::hypot(positions[i].row - positions[j].row,
                                                   positions[i].col - positions[j].col));
        nearest.push_back(least);
    }
    auto const middle = nearest.begin() + std::ssize(nearest) / 2;
    std::nth_element(nearest.begin(), middle, nearest.end());
    return *middle;
}

}  // namespace sluice::ptycho
