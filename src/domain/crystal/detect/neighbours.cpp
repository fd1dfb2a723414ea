// Measures distances between disks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::crystal {

std::optional<double> neighbour_distance(std::span<FoundPattern const> patterns) {
    std::vector<double> distances;
    for (FoundPattern const& p : patterns) {
        if (p.disks.size() < 2) continue;
        for (FoundDisk const& a : p.disks) {
            double least = std::numeric_limits<double>::infinity();
            for (FoundDisk const& b : p.disks)
                if (&a != &b)
                    least = std::min(least,
                                     static_cast<double>(std::hypot(a.row - b.row, a.col - b.col)));
            distances.push_back(least);
        }
    }
    if (distances.size() < 10) return {};
    auto const at = distances.begin() + std::ssize(distances) / 20;
    std::ranges::nth_element(distances, at);
    return *at;
}

}  // namespace sluice::crystal
