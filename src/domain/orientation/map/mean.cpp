// Means of orientations.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/map/mean.h"

#include <cmath>

#include "domain/orientation/rotation/disorientation.h"

namespace sluice::orient {
namespace {

using stem4d::Orientation;

constexpr int most_rounds = 20;
constexpr double done_degrees = 1e-9;

}  // namespace

Orientation mean_of(std::span<Orientation const> all, stem4d::CrystalSymmetry const& symmetry) {
    Orientation mean = all.front();
    for (int round = 0; round < most_rounds; ++round) {
        // The normalised sum is the rotation of least squares (of the sines of half the angles).
        Orientation sum{0, 0, 0, 0};
        for (Orientation const& g : all) {
            Orientation const q = nearest_equal(mean, g, symmetry);
            sum = {sum.w + q.w, sum.x + q.x, sum.y + q.y, sum.z + q.z};
        }
        double const n = std::sqrt(sum.w * sum.w + sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
        if (!(n > 0)) break;
        Orientation const next{sum.w / n, sum.x / n, sum.y / n, sum.z / n};
        double const moved = stem4d::disorientation(next, mean, symmetry);
        mean = next;
        if (moved < done_degrees) break;
    }
    return mean;
}

}  // namespace sluice::orient
