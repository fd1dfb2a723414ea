// Ranks and resampled medians.
// SPDX-License-Identifier: Apache-2.0
#include "bench/compare.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/splitmix.h"
#include "sluice/measured.h"

namespace sluice::bench {
namespace {

constexpr std::size_t enough = 4, most_exact = 20;
constexpr double unlikely = 0.05;

/// Pairs where b is greater, and half of those that are equal.
struct Pairs {
    double greater = 0;
    bool ties = false;
};

Pairs pairs_of(std::span<double const> a, std::span<double const> b) {
    Pairs p;
    for (double const x : a)
        for (double const y : b) {
            p.greater += y > x ? 1 : y == x ? 0.5 : 0;
            p.ties = p.ties || x == y;
        }
    return p;
}

// The share of all orders of n and m numbers with at most so many pairs: H. B. Mann, D. R. Whitney
// 1947, doi:10.1214/aoms/1177730491.
double exact_tail(std::size_t n, std::size_t m, double pairs) {
    std::size_t const all = n * m;
    // Orders of i numbers among those of the other side that were added so far, by their pairs.
    std::vector<std::vector<double>> orders(n + 1, std::vector<double>(all + 1, 0));
    for (auto& row : orders) row[0] = 1;
    for (std::size_t j = 1; j <= m; ++j)
        for (std::size_t i = 1; i <= n; ++i)
            for (std::size_t u = j; u <= all; ++u) orders[i][u] += orders[i - 1][u - j];
    double tail = 0, sum = 0;
    for (std::size_t u = 0; u <= all; ++u) {
        sum += orders[n][u];
        if (static_cast<double>(u) <= pairs) tail += orders[n][u];
    }
    return tail / sum;
}

// Without the correction for ties: with them the test is a little too careful.
double normal_tail(double n, double m, double pairs) {
    double const mean = n * m / 2, deviation = std::sqrt(n * m * (n + m + 1) / 12);
    return 0.5 * std::erfc((mean - pairs - 0.5) / (deviation * std::sqrt(2.0)));
}

double resampled_median(std::span<double const> values, std::uint64_t& state,
                        std::vector<double>& room) {
    room.clear();
    for (std::size_t i = 0; i < values.size(); ++i)
        room.push_back(values[splitmix::mix(state += splitmix::golden) % values.size()]);
    return spread_of(room).median;
}

}  // namespace

double rank_test(std::span<double const> a, std::span<double const> b) {
    if (a.empty() || b.empty()) return 1;
    Pairs const p = pairs_of(a, b);
    auto const n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
    double const pairs = std::min(p.greater, n * m - p.greater);
    bool const small = a.size() <= most_exact && b.size() <= most_exact;
    double const tail =
        small && !p.ties ? exact_tail(a.size(), b.size(), pairs) : normal_tail(n, m, pairs);
    return std::min(1.0, 2 * tail);
}

Comparison compare(std::span<double const> before, std::span<double const> after) {
    Comparison c;
    c.before_s = spread_of({before.begin(), before.end()}).median;
    c.after_s = spread_of({after.begin(), after.end()}).median;
    if (!(c.before_s > 0 && c.after_s > 0)) {
        c.verdict = "not measured";
        return c;
    }
    c.ratio = c.after_s / c.before_s;
    c.p = rank_test(before, after);
    constexpr int samples = 2000;
    std::uint64_t state = 1;
    std::vector<double> ratios, room;
    for (int i = 0; i < samples; ++i)
        ratios.push_back(resampled_median(after, state, room) /
                         resampled_median(before, state, room));
    std::ranges::sort(ratios);
    c.low = ratios[samples / 40];
    c.high = ratios[samples - 1 - samples / 40];
    if (std::min(before.size(), after.size()) < enough)
        c.verdict = "too few rounds";
    else if (c.p < unlikely && c.high < 1)
        c.verdict = "faster";
    else if (c.p < unlikely && c.low > 1)
        c.verdict = "slower";
    else
        c.verdict = "no difference shown";
    return c;
}

}  // namespace sluice::bench
