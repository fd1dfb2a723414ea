// Measures distances between disks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/crystal/lattice/matrix2.h"

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

std::optional<double> pitch_of(std::span<FoundPattern const> patterns,
                               std::optional<stem4d::LatticeBasis> const& basis, double bin) {
    auto pitch = neighbour_distance(patterns);
    if (!pitch) return {};
    *pitch *= bin;
    if (basis) pitch = std::max(*pitch, std::min(length_of(basis->a), length_of(basis->b)));
    return pitch;
}

}  // namespace sluice::crystal
