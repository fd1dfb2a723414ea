// Sums over rows of range, as integrals.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/at_the_end.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::marching {

AtTheEnd::AtTheEnd(RangeRows const& rows, double wide,
                   std::function<double(double)> const& of_range)
    : step_(rows.step) {
    double const all = std::clamp(2.5 * rows.spread / wide - 1.5, 0.0, 1.0);
    constexpr std::size_t most = 10;
    while (first_ < rows.range.size() && rows.range[first_] < -past_the_end * step_) ++first_;
    if (first_ + most > rows.range.size() || all == 0) return;
    double const* const range = rows.range.data() + first_;
    range_ = range[0];
    // Integrals times powers of places, less sums, in rows. What goes on smoothly at the top is the
    // midpoint rule with its first correction.
    double const top = range[most - 1] + step_ / 2, last = top / step_, at_top = of_range(top);
    double const slope = (of_range(top + 0.01 * step_) - of_range(top - 0.01 * step_)) / 0.02;
    double c[3] = {0, 0, 0};
    // Simpson's rule in the root of range, in which energies are smooth.
    constexpr int n = 200;
    for (int i = 1; i <= n; ++i) {
        double const root = double(i) / n, place = last * root * root;
        double const weight = (i == n ? 1 : i % 2 == 1 ? 4 : 2) / (3.0 * n);
        double const part = of_range(place * step_) * 2 * last * root * weight;
        for (int k = 0; k < 3; ++k) c[k] += part * std::pow(place, k);
    }
    for (int k = 0; k < 3; ++k)
        c[k] -= (slope * std::pow(last, k) + (k > 0 ? k * at_top * std::pow(last, k - 1) : 0)) / 24;
    for (std::size_t i = 0; i < most; ++i) {
        if (range[i] <= 0) continue;
        double const value = of_range(range[i]);
        for (int k = 0; k < 3; ++k) c[k] -= value * std::pow(range[i] / step_, k);
    }
    // To three rows, by the moments about the middle one. Where the lowest row is soon too far
    // behind the end, the next three take over bit by bit: rows that are carried have energies that
    // do not jump.
    auto const give = [&](std::size_t to, double part) {
        double const middle = range[to + 1] / step_;
        double const first = c[1] - middle * c[0];
        double const second = c[2] - 2 * middle * c[1] + middle * middle * c[0];
        beside_[to] += part * all * (second - first) / 2;
        beside_[to + 1] += part * all * (c[0] - second);
        beside_[to + 2] += part * all * (second + first) / 2;
    };
    double const own = std::clamp((range[0] / step_ + past_the_end) / 0.2, 0.0, 1.0);
    give(0, own);
    give(1, 1 - own);
}

double AtTheEnd::at(double range) const {
    double const place = (range - range_) / step_, low = std::floor(place), part = place - low;
    auto const of = [&](double i) {
        return i >= 0 && i < 4 ? beside_[static_cast<std::size_t>(i)] : 0.0;
    };
    return (1 - part) * of(low) + part * of(low + 1);
}

}  // namespace sluice::proton::marching
