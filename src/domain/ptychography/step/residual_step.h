// Which part of a residual a pattern's waves should take, by Poisson's likelihood.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "sluice/view.h"

namespace sluice::ptycho {

/// Waves that take the part a of their residual become (1 - a w) Psi, where w = 1 - I / M, and M
/// becomes M (1 - a w)^2. Of the loss, -dL/2da is sum w (M f - I / f) with f = 1 - a w (M.
/// Odstrcil, A. Menzel and M. Guizar-Sicairos, 10.1364/OE.26.003108). It falls with a, and its zero
/// is near 1/2 where the model is right, and lower where pixels are modelled too dark. Its
/// iteration takes passes over pixels; here one pass sums it at three parts, four times apart.
constexpr index parts_of_residual = 3;
using ResidualSlopes = std::array<double, parts_of_residual>;
SLUICE_HD constexpr float residual_part(index k) {
    return static_cast<float>(1 << 2 * k) / 32;
}

/// A pixel's, where 1 - I / M is `weight`.
template <class Real>
SLUICE_HD Real slope_at(float part, Real weight, Real model, Real counts) {
    Real const f = 1 - static_cast<Real>(part) * weight;
    return weight * (model * f - counts / f);
}

/// Between the two parts where the slope changes its sign; 1/32 at least, so that no
/// dark pixel stops a pattern, and 1/2 at most.
inline double best_part(ResidualSlopes const& slopes) {
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        if (slopes[i] > 0) continue;
        if (i == 0) break;
        // By the logarithm of a part, as slopes fall like 1 / a where dark pixels decide.
        double const way = slopes[i - 1] / (slopes[i - 1] - slopes[i]);
        return static_cast<double>(residual_part(static_cast<index>(i) - 1)) * std::pow(4.0, way);
    }
    return static_cast<double>(residual_part(slopes[0] > 0 ? parts_of_residual - 1 : 0));
}

}  // namespace sluice::ptycho
