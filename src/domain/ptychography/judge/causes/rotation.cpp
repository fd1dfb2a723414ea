// The rotation of a scan against its detector by the curl of the centres of mass, on any places.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/ptychography/counts.h"
#include "domain/ptychography/judge/causes/causes.h"
#include "domain/ptychography/nearest.h"

namespace sluice::ptycho {

namespace {

using stem4d::Position;

// d(row, col of the centre) / d(row, col of the place).
struct Gradient {
    double rr = 0, rc = 0, cr = 0, cc = 0;
};

// By least squares over the neighbours of a place; empty where they lie on a line.
std::optional<Gradient> gradient_at(std::size_t j, std::vector<Position> const& places,
                                    std::vector<Position> const& centers, double reach) {
    double yy = 0, yx = 0, xx = 0;
    Gradient sums;
    for (std::size_t i = 0; i < places.size(); ++i) {
        double const y = places[i].row - places[j].row, x = places[i].col - places[j].col;
        if (i == j || std::hypot(y, x) > reach) continue;
        double const r = centers[i].row - centers[j].row, c = centers[i].col - centers[j].col;
        yy += y * y, yx += y * x, xx += x * x;
        sums.rr += r * y, sums.rc += r * x, sums.cr += c * y, sums.cc += c * x;
    }
    double const det = yy * xx - yx * yx;
    if (!(det > 0.05 * (yy + xx) * (yy + xx) / 4)) return {};
    return Gradient{(sums.rr * xx - sums.rc * yx) / det, (sums.rc * yy - sums.rr * yx) / det,
                    (sums.cr * xx - sums.cc * yx) / det, (sums.cc * yy - sums.cr * yx) / det};
}

}  // namespace

std::vector<Position> centers_of_mass(Patterns const& patterns) {
    std::vector<Position> centers;
    index const n = patterns.size;
    for (index j = 0; j < patterns.count(); ++j)
        centers.push_back(with_pattern(patterns, j, [&](auto const* counts) {
            double sum = 0, row = 0, col = 0;
            for (index i = 0; i < n * n; ++i) {
                if (!patterns.bad.empty() && patterns.bad[static_cast<std::size_t>(i)]) continue;
                auto const value = static_cast<double>(counts[i]);
                index const r = i / n, c = i % n;
                sum += value;
                row += value * static_cast<double>(r < (n + 1) / 2 ? r : r - n);
                col += value * static_cast<double>(c < (n + 1) / 2 ? c : c - n);
            }
            return sum > 0 ? Position{row / sum, col / sum} : Position{};
        }));
    return centers;
}

// The gradient by turned places is G M^T: with rotations by t its curl is a sin t + b cos t, whose
// mean square is least where (cos 2t, sin 2t) points away from (B - A, 2 C).
std::vector<Turn> turns_without_curl(Patterns const& patterns) {
    auto const centers = centers_of_mass(patterns);
    double const reach = 1.6 * median_nearest(patterns.positions);  // eight neighbours of a raster
    double aa[2] = {}, ab[2] = {}, bb[2] = {};
    for (std::size_t j = 0; j < centers.size(); ++j) {
        auto const g = gradient_at(j, patterns.positions, centers, reach);
        if (!g) continue;
        double const a[] = {g->rr + g->cc, g->rc + g->cr}, b[] = {g->rc - g->cr, g->rr - g->cc};
        for (std::size_t t : {0U, 1U})
            aa[t] += a[t] * a[t], ab[t] += a[t] * b[t], bb[t] += b[t] * b[t];
    }
    std::vector<Turn> turns;
    for (std::size_t t : {0U, 1U}) {
        if (!(aa[t] + bb[t] > 0)) continue;
        double const angle = 0.5 * std::atan2(-2 * ab[t], aa[t] - bb[t]);
        double const c = std::cos(angle), s = std::sin(angle);
        Turn const m = t ? Turn{-s, c, c, s} : Turn{c, -s, s, c};
        turns.push_back(m);
        turns.push_back(opposite(m));
    }
    return turns;
}

}  // namespace sluice::ptycho
