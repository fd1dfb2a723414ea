// A plane through origins, in rounds.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/wander.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "domain/crystal/fit/solve.h"

namespace sluice::crystal {
namespace {

constexpr int rounds_of_planes = 4;
// So little keeps a scan of one row or column from having no solution, and bends nothing.
constexpr double ridge = 1e-6;

// About the middle of the sample, which may be of one column of the scan: the slope along rows is 0
// then.
struct Middle {
    double row = 0, col = 0;
};

Middle middle_of(std::span<SeenOrigin const> seen) {
    Middle m;
    for (SeenOrigin const& s : seen) m.row += s.row, m.col += s.col;
    auto const n = static_cast<double>(std::max<std::size_t>(seen.size(), 1));
    return {m.row / n, m.col / n};
}

Wander solved(std::span<SeenOrigin const> seen, std::vector<char> const& used) {
    Middle const middle = middle_of(seen);
    std::array<double, 6> lower{ridge, 0, ridge, 0, 0, ridge};
    std::array<std::array<double, Cholesky::most>, 2> right{};
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (!used[i]) continue;
        std::array<double, 3> const t{1, seen[i].row - middle.row, seen[i].col - middle.col};
        for (std::size_t a = 0, k = 0; a < 3; ++a) {
            right[0][a] += t[a] * seen[i].at.row;
            right[1][a] += t[a] * seen[i].at.col;
            for (std::size_t b = 0; b <= a; ++b, ++k) lower[k] += t[a] * t[b];
        }
    }
    Wander w;
    auto const factors = Cholesky::of(lower, 3);
    if (!factors) return w;
    auto const rows = factors->solve(right[0]), cols = factors->solve(right[1]);
    w.by_row = {rows[1], cols[1]};
    w.by_col = {rows[2], cols[2]};
    w.first = {rows[0] - middle.row * rows[1] - middle.col * rows[2],
               cols[0] - middle.row * cols[1] - middle.col * cols[2]};
    return w;
}

double away(SeenOrigin const& s, Wander const& w) {
    return std::hypot(s.at.row - w.first.row - s.row * w.by_row.row - s.col * w.by_col.row,
                      s.at.col - w.first.col - s.row * w.by_row.col - s.col * w.by_col.col);
}

}  // namespace

Wander plane_of(std::span<SeenOrigin const> seen) {
    std::vector<char> used(seen.size(), 1);
    Wander w;
    for (int round = 0; round < rounds_of_planes && !seen.empty(); ++round) {
        w = solved(seen, used);
        std::vector<double> distances;
        for (SeenOrigin const& s : seen) distances.push_back(away(s, w));
        auto const middle = distances.begin() + std::ssize(distances) / 2;
        auto sorted = distances;
        std::ranges::nth_element(sorted, sorted.begin() + (middle - distances.begin()));
        w.typical = sorted[sorted.size() / 2];
        for (std::size_t i = 0; i < seen.size(); ++i)
            used[i] = distances[i] <= 3 * w.typical + 1e-9;
    }
    return w;
}

}  // namespace sluice::crystal
