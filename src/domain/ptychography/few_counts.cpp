// Patterns of few counts, and likelihoods that do not suit them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/few_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/check_options.h"
#include "domain/ptychography/poisson_floor.h"

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
    double lost = 0, all = 0;
    for (double const value : totals.pattern) {
        if (value >= bright || !(value > 0)) continue;
        lost += value * (1 - found_modulus(likelihood, value / count));
        all += value;
    }
    return all > 0 ? lost / all : 0;
}

std::string warn_of_few_counts(Totals const& totals, stem4d::PtychographyOptions const& options,
                               double count) {
    // The last stage decides what comes out.
    auto const likelihood = fitted(options.stages.back());
    double const lost = lost_phase(totals, likelihood, count);
    if (lost < 0.03) return {};
    char const* const instead =
        chooses_likelihood(options.stages.back())
            ? "take --likelihood poisson"
            : "end with a stage of lsqml, adam, sgd or mlcg, whose usual likelihood is poisson";
    return fmt::format(
        "counts are few ({:.3g} in a pattern of {} pixels), and weak phases come out about {:.0f} "
        "% too low: {} are drawn to zero in dark pixels; {}",
        totals.mean / count, totals.pattern.size(), 100 * lost,
        likelihood == Likelihood::gaussian ? "weighted counts" : "fits of amplitudes", instead);
}

}  // namespace sluice::ptycho
