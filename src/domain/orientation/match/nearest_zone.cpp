// Looks at all zone axes of small indices.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/nearest_zone.h"

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "sluice/structure_factors.h"

namespace sluice::orient {
namespace {

constexpr int largest_index = 5;
// Axes are as near as another one if they are by less.
constexpr double as_near = 1e-9;

}  // namespace

NearestZone nearest_zone(Vector3 const& direction, stem4d::UnitCell const& cell) {
    auto const axes = stem4d::axes_of(cell);
    Vector3 const v = unit(direction);
    NearestZone best;
    double least = INFINITY;
    int size = 0;
    for (int a = -largest_index; a <= largest_index; ++a)
        for (int b = -largest_index; b <= largest_index; ++b)
            for (int c = -largest_index; c <= largest_index; ++c) {
                if (std::gcd(a, std::gcd(b, c)) != 1) continue;
                Vector3 const axis =
                    sum(sum(scaled(axes[0], a), scaled(axes[1], b)), scaled(axes[2], c));
                double const away = angle_between(unit(axis), v);
                int const sum_of = std::abs(a) + std::abs(b) + std::abs(c);
                if (away < least - as_near || (away < least + as_near && sum_of < size)) {
                    least = away, size = sum_of;
                    best = {{a, b, c}, away / degree};
                }
            }
    return best;
}

}  // namespace sluice::orient
