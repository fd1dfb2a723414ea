// What is compared between grids.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/proton_converge.h"

namespace sluice::proton {
namespace {

// Between the middles of planes; NaN outside of them.
double at_depth(std::vector<double> const& values, double dz, double depth) {
    double const place = depth / dz - 0.5;
    auto const k = static_cast<index>(std::floor(place));
    if (k < 0 || k + 1 >= static_cast<index>(values.size()))
        return std::numeric_limits<double>::quiet_NaN();
    double const t = place - static_cast<double>(k);
    auto const i = static_cast<std::size_t>(k);
    return (1 - t) * values[i] + t * values[i + 1];
}

// Sums of rows x columns cells, which are as many in each.
std::vector<double> summed(GridRun const& r, index planes, index columns) {
    index const deep = r.planes / planes, wide = r.columns / columns;
    std::vector<double> out(static_cast<std::size_t>(planes * columns));
    for (index k = 0; k < r.planes; ++k)
        for (index x = 0; x < r.columns; ++x)
            out[static_cast<std::size_t>(k / deep * columns + x / wide)] +=
                r.deposit[static_cast<std::size_t>(k * r.columns + x)];
    return out;
}

}  // namespace

Result<SigmaDepths> sigma_depths(MarchResult const& result) {
    SLUICE_TRY(BraggMetrics const m, bragg_metrics(depth_dose(result)));
    return SigmaDepths{m.r80 / 2, m.peak_depth};
}

Result<GridRun> measure(Steps const& steps, MarchResult const& result, SigmaDepths const& at) {
    SLUICE_TRY(BraggMetrics const m, bragg_metrics(depth_dose(result)));
    auto const sigma = lateral_sigma(result);
    GridRun run{.steps = steps,
                .planes = result.planes,
                .columns = result.columns,
                .deposit = result.deposit,
                .unexplained = worst_unexplained(result),
                .cells = result.cells};
    run.values = {m.r80, m.fall_off, at_depth(sigma, result.dz, at.half),
                  at_depth(sigma, result.dz, at.peak)};
    return run;
}

Result<double> dose_difference(GridRun const& a, GridRun const& b) {
    index const planes = std::min(a.planes, b.planes), columns = std::min(a.columns, b.columns);
    for (GridRun const* const r : {&a, &b})
        if (planes < 1 || columns < 1 || r->planes % planes != 0 || r->columns % columns != 0 ||
            r->deposit.size() != static_cast<std::size_t>(r->planes * r->columns))
            return Error{Code::invalid_argument,
                         fmt::format("doses of {} x {} and {} x {} cells do not lie in each other",
                                     a.planes, a.columns, b.planes, b.columns)};
    auto const first = summed(a, planes, columns), second = summed(b, planes, columns);
    double off = 0, all = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        off += (first[i] - second[i]) * (first[i] - second[i]);
        all += second[i] * second[i];
    }
    if (!(all > 0)) return Error{Code::invalid_argument, "there is no dose to compare with"};
    return std::sqrt(off / all);
}

}  // namespace sluice::proton
