// The shift between two images that nearly coincide.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/fine_shift.h"

#include <algorithm>
#include <cmath>

namespace sluice::stem4d {
namespace {

// A symmetric matrix; 1 along an axis of one point.
std::array<double, 3> matrix(CommonWaves const& c, std::array<double, 3> m) {
    if (!c.down()) m[0] = 1, m[1] = 0;
    if (!c.across()) m[2] = 1, m[1] = 0;
    return m;
}

// Newton's step to the maximum; at most a quarter of a point.
Point newton_step(CommonWaves const& c, CommonWaves::At const& f) {
    auto const [a, b, d] = matrix(c, f.bend);
    double const det = a * d - b * b;
    Point by{f.slope[0] > 0 ? 0.1 : -0.1, f.slope[1] > 0 ? 0.1 : -0.1};
    if (a > 0 && det > 0)
        by = {(d * f.slope[0] - b * f.slope[1]) / det, (a * f.slope[1] - b * f.slope[0]) / det};
    return {c.down() ? std::clamp(by.row, -0.25, 0.25) : 0,
            c.across() ? std::clamp(by.col, -0.25, 0.25) : 0};
}

Point maximum(CommonWaves const& c, Point at) {
    for (int i = 0; i < 20; ++i) {
        Point const by = newton_step(c, c.at(at));
        at.row += by.row, at.col += by.col;
        if (std::abs(by.row) + std::abs(by.col) < 1e-9) break;
    }
    return at;
}

// H^-1 G H^-1, the covariance of a maximum whose slope varies by G.
Point error_of(CommonWaves const& c, CommonWaves::At const& f, CommonWaves::Noise const& noise) {
    auto const [a, b, d] = matrix(c, f.bend);
    auto const& g = noise.slope;
    double const det = a * d - b * b;
    if (!(det > 0)) return {1e300, 1e300};
    double const ia = d / det, ib = -b / det, id = a / det;
    double const row = ia * (g[0] * ia + g[1] * ib) + ib * (g[1] * ia + g[2] * ib);
    double const col = ib * (g[0] * ib + g[1] * id) + id * (g[1] * ib + g[2] * id);
    return {c.down() ? std::sqrt(std::max(row, 0.0)) : 0,
            c.across() ? std::sqrt(std::max(col, 0.0)) : 0};
}

double sharpness_of(CommonWaves const& c, CommonWaves::At const& f, double noise) {
    double least = 0;
    if (!c.down() || !c.across()) {
        least = c.down() ? f.bend[0] : f.bend[2];
    } else {
        double const half = (f.bend[0] - f.bend[2]) / 2;
        least = (f.bend[0] + f.bend[2]) / 2 - std::hypot(half, f.bend[1]);
    }
    if (!(least > 0)) return 0;
    return noise > 0 ? least / noise : 1e300;
}

}  // namespace

Result<FineShift> fine_shift(ImagePair const& pair, double reach) {
    SLUICE_TRY(CommonWaves c, CommonWaves::make(pair, {}));
    c.weigh(c.best_of_grid(reach));
    Point at = maximum(c, c.best_of_grid(reach));
    // The window of the image moves with what it shows, or edges would hold it back.
    for (int i = 0; i < 4; ++i) {
        Point const held{std::clamp(at.row, -reach, reach), std::clamp(at.col, -reach, reach)};
        SLUICE_TRY(c, CommonWaves::make(pair, held));
        c.weigh(held);
        Point const next = maximum(c, held);
        double const by = std::hypot(next.row - at.row, next.col - at.col);
        at = next;
        if (by < 1e-4) break;
    }
    CommonWaves::At const f = c.at(at);
    auto const noise = c.noise();
    auto const odds = c.odds(at);
    return FineShift{.by = at,
                     .error = error_of(c, f, noise),
                     .significance = odds.significance,
                     .waves = odds.waves,
                     .sharpness = sharpness_of(c, f, noise.bend),
                     .inside = std::abs(at.row) <= reach + 0.5 && std::abs(at.col) <= reach + 0.5};
}

}  // namespace sluice::stem4d
