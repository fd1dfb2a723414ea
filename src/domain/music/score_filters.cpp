// The normal equations: blocks of Toeplitz matrices out of correlations.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/score_filters.h"

#include "device/workers.h"
#include "domain/music/score_cholesky.h"

namespace sluice::music {
namespace {

// Sum over t of x_i(t - a) x_j(t - b): row (i, a), column (j, b).
double product(Correlations const& c, index i, index a, index j, index b) {
    return a >= b ? c.reference(i, j, a - b) : c.reference(j, i, b - a);
}

/// Fills the filters of estimates [outputs, outputs + made.size()) from references
/// [first, first + count).
void solve(Correlations const& c, index first, index count, index outputs, std::span<Filters> made,
           int threads) {
    index const n = count * bss_taps;
    Cholesky const factor(
        n,
        [&](index row, index column) {
            return product(c, first + row / bss_taps, row % bss_taps, first + column / bss_taps,
                           column % bss_taps);
        },
        threads);
    parallel_for(std::ssize(made), threads, 1, [&](index k, int) {
        Filters& f = made[static_cast<std::size_t>(k)];
        f = {first, count, std::vector<double>(static_cast<std::size_t>(n))};
        for (index row = 0; row < n; ++row)
            f.taps[static_cast<std::size_t>(row)] =
                c.estimate(first + row / bss_taps, outputs + k, row % bss_taps);
        factor.solve(f.taps);
    });
}

}  // namespace

SongFilters find_filters(Correlations const& correlations, index channels, int threads) {
    auto const n = static_cast<std::size_t>(correlations.count);
    SongFilters out{std::vector<Filters>(n), std::vector<Filters>(n)};
    for (index stem = 0; stem < correlations.count / channels; ++stem)
        solve(correlations, stem * channels, channels, stem * channels,
              std::span(out.own).subspan(static_cast<std::size_t>(stem * channels),
                                         static_cast<std::size_t>(channels)),
              threads);
    // Of one stem both are the same.
    if (correlations.count == channels)
        out.all = out.own;
    else
        solve(correlations, 0, correlations.count, 0, out.all, threads);
    return out;
}

}  // namespace sluice::music
