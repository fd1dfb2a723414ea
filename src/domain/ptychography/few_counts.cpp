// Patterns of few counts, and likelihoods that do not suit them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/few_counts.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/check_options.h"

namespace sluice::ptycho {

std::string warn_of_few_counts(Totals const& totals, stem4d::PtychographyOptions const& options) {
    // The last stage decides what comes out.
    if (fitted(options.stages.back()) == stem4d::Likelihood::poisson) return {};
    double all = 0, few = 0;
    for (double const mean : totals.pattern) {
        all += std::sqrt(mean);
        if (mean < 1) few += std::sqrt(mean);
    }
    // On simulated sheets of atoms below this, amplitudes are as near to the truth as counts.
    if (few < 0.04 * all) return {};
    return fmt::format(
        "{:.0f} % of the amplitude lies in pixels of less than one count, where fits of "
        "amplitudes are biased: compare with --likelihood poisson (of lsqml, adam, sgd and mlcg)",
        100 * few / all);
}

}  // namespace sluice::ptycho
