// The RBE of a dose: RBEmax and RBEmin of each model, and what lies between.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sluice/proton_rbe.h"

namespace sluice::proton {

// Carabe's formulas are of LET over alpha/beta in units of 2.686 Gy, the tissue that they were
// fitted to: 0.154 and 0.006 of it.
RbeLimits rbe_limits(RbeModel model, double let, double alpha_beta) {
    switch (model) {
        case RbeModel::constant:
            return {1.1, 1.1};
        case RbeModel::mcnamara:
            return {0.99064 + 0.35605 * let / alpha_beta,
                    1.1012 - 0.0038703 * std::sqrt(alpha_beta) * let};
        case RbeModel::wedenberg:
            return {1 + 0.434 * let / alpha_beta, 1};
        case RbeModel::carabe:
            return {0.843 + 0.154 * 2.686 * let / alpha_beta,
                    1.09 + 0.006 * 2.686 * let / alpha_beta};
    }
    return {};
}

// (sqrt(r^2 + 4 D r RBEmax + 4 D^2 RBEmin^2) - r) / 2 D, extended by the sum of root and r: nothing
// cancels at small doses, and 0 has its limit.
double rbe(RbeModel model, double dose, double let, double alpha_beta) {
    if (model == RbeModel::constant) return rbe_limits(model, let, alpha_beta).most;
    auto const [most, low] = rbe_limits(model, let, alpha_beta);
    // McNamara's falls below 0 at LETs that it was not fitted to: its square would grow again.
    double const least = std::max(low, 0.0);
    double const r = alpha_beta, square = dose * least * least;
    double const root = std::sqrt(r * r + 4 * dose * (r * most + square));
    return 2 * (r * most + square) / (root + r);
}

}  // namespace sluice::proton
