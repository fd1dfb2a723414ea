// Patterns of few counts, and likelihoods that do not suit them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/few_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/poisson_floor.h"
#include "domain/ptychography/stage_kind.h"

namespace sluice::ptycho {

namespace {

using stem4d::Likelihood;

// The modulus that a fit finds in a pixel of so many counts on average, over the true one.
double found_modulus(Likelihood likelihood, double mean) {
    // E (sqrt n - sqrt m)^2 = 2 m - 2 sqrt m E sqrt n.
    if (likelihood == Likelihood::amplitude) return 1 - root_noise(mean) / (2 * mean);
    // E n / (n + 1) over E 1 / (n + 1) and m, where E 1 / (n + 1) = (1 - exp(-m)) / m.
    double const one = -std::expm1(-mean) / mean;
    return std::sqrt((1 - one) / (one * mean));
}

}  // namespace

double lost_phase(Totals const& totals, Likelihood likelihood, double count) {
    if (likelihood == Likelihood::poisson || !(count > 0) || totals.pattern.empty()) return 0;
    double const bright = *std::ranges::max_element(totals.pattern) / 10;
    double lost = 0, all = 0, moduli = 0, lost_moduli = 0;
    for (double const value : totals.pattern) {
        if (!(value > 0)) continue;
        double const part = 1 - found_modulus(likelihood, value / count);
        moduli += std::sqrt(value);
        lost_moduli += part * std::sqrt(value);
        if (value >= bright) continue;
        lost += part * value;
        all += value;
    }
    // Where no disk stands out, the loss of all moduli is the better estimate.
    return std::max(all > 0 ? lost / all : 0, moduli > 0 ? lost_moduli / moduli : 0);
}

std::string warn_of_few_counts(Totals const& totals, stem4d::PtychographyOptions const& options,
                               double count) {
    // The last stage decides about the result.
    auto const likelihood = fitted(options.stages.back());
    double const lost = lost_phase(totals, likelihood, count);
    if (lost < 0.02) return {};
    char const* const instead =
        chooses_likelihood(options.stages.back())
            ? "take --likelihood poisson"
            : "end with a stage of lsqml, adam, sgd or mlcg, whose default likelihood is poisson";
    // In the simulations of the guide phases lose a half of the estimate to one and a half of it.
    return fmt::format(
        "counts are few ({:.3g} in a pattern of {} pixels): weak phases come out {:.0f} to {:.0f} "
        "% too low, since {} are drawn to zero in dark pixels; {}",
        totals.mean / count, totals.pattern.size(), 50 * lost, std::min(150 * lost, 95.0),
        likelihood == Likelihood::gaussian ? "weighted counts" : "fits of amplitudes", instead);
}

}  // namespace sluice::ptycho
