// Fits a background alone.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/null_model.h"

#include <algorithm>
#include <cmath>

#include "domain/crystal/fit/solve.h"

namespace sluice::crystal {
namespace {

// A background that multiplies its shape has this maximum. Half a count keeps it above 0.
double flat(FitKernels const& kernels, Crop const& crop) {
    FlatSums const sums = kernels.flat(crop);
    return std::max(sums.counts, 0.5) / std::max(sums.shape, 1e-9);
}

// Beside other disks what is left of the counts is a start only.
Model beside_others(FitKernels const& kernels, Crop const& crop, Model m) {
    for (int step = 0; step < 3; ++step) {
        ScoreSums const sums = kernels.score(crop, m);
        m.background = std::clamp(m.background + sums.slopes[0] / std::max(sums.fisher[0], 1e-12),
                                  m.background / 4, 4 * m.background);
    }
    return m;
}

}  // namespace

Model null_model(FitKernels const& kernels, Crop const& crop, Model const& model) {
    Model m = model;
    m.height = 0;
    m.around = {};
    m.background = flat(kernels, crop);
    if (crop.shape) return crop.near ? beside_others(kernels, crop, m) : m;
    double const less = std::min(m.background / model.background, 1.0);
    m.slope_row *= less;
    m.slope_col *= less;
    for (int step = 0; step < 3; ++step) {
        ScoreSums const sums = kernels.score(crop, m);
        // Rows 0, 4 and 5 of the matrix: the others are of the disk, which is not there.
        double const* const f = sums.fisher;
        double const three[6] = {f[0], f[10], f[14], f[15], f[19], f[20]};
        auto const factors = Cholesky::of(three, 3);
        if (!factors) return m;
        double const slopes[3] = {sums.slopes[0], sums.slopes[4], sums.slopes[5]};
        auto const by = factors->solve(slopes);
        m.background = std::clamp(m.background + by[0], m.background / 4, 4 * m.background);
        double const most = 0.85 * m.background;
        m.slope_row = std::clamp(m.slope_row + by[1], -most, most);
        m.slope_col = std::clamp(m.slope_col + by[2], -most, most);
    }
    return m;
}

}  // namespace sluice::crystal
