// Orders and errors out of values on finer and finer grids.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/proton_converge.h"

namespace sluice::proton {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Strang's splitting is of second order: faster convergence is chance, or the grids are still too
// coarse.
constexpr double highest_order = 2;
// Slower than this, an extrapolation goes farther than all that was seen.
constexpr double lowest_order = 0.5;

// What the finest grid still lacks, as a part of the last difference.
double rest_of(double order) {
    return 1 / (std::exp2(std::min(order, highest_order)) - 1);
}

double spread(std::span<double const> values) {
    auto const [low, high] = std::ranges::minmax_element(values);
    return *high - *low;
}

}  // namespace

Sequence sequence_of_values(std::span<double const> values) {
    Sequence s;
    std::size_t const n = values.size();
    bool const finite = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
    s.order = nan;
    if (n < 3 || !finite) {
        s.limit = nan;
        s.errors.assign(n, nan);
        return s;
    }
    double const before = values[n - 2] - values[n - 3], last = values[n - 1] - values[n - 2];
    s.limit = values[n - 1];
    double const order = std::log2(before / last);
    s.converges = last == 0 || (before / last > 1 && order >= lowest_order);
    if (s.converges && last != 0) {
        s.order = order;
        s.limit += last * rest_of(order);
    }
    for (std::size_t k = 0; k < n; ++k)
        s.errors.push_back(s.converges ? std::abs(values[k] - s.limit)
                                       : spread(values.subspan(std::min(k, n - 3))));
    return s;
}

Sequence sequence_of_differences(std::span<double const> differences) {
    Sequence s;
    std::size_t const n = differences.size();
    bool const good =
        std::ranges::all_of(differences, [](double d) { return std::isfinite(d) && d >= 0; });
    s.order = nan;
    s.limit = nan;
    if (n < 2 || !good) {
        s.errors.assign(n + 1, nan);
        return s;
    }
    double const before = differences[n - 2], last = differences[n - 1];
    double const order = std::log2(before / last);
    s.converges = last == 0 || order >= lowest_order;
    if (!s.converges) {
        for (std::size_t k = 0; k <= n; ++k)
            s.errors.push_back(std::ranges::max(differences.subspan(std::min(k, n - 2))));
        return s;
    }
    // Norms add up at most.
    s.errors.assign(n + 1, 0);
    if (last > 0) {
        s.order = order;
        s.errors[n] = last * rest_of(order);
    }
    for (std::size_t k = n; k-- > 0;) s.errors[k] = s.errors[k + 1] + differences[k];
    return s;
}

}  // namespace sluice::proton
