// Patterns of few counts, and likelihoods that do not suit them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

/// About the part of a weak phase that a fit loses, by the mean pattern: in pixels darker than a
/// tenth of the brightest, how much of the counts is drawn to zero; of all, how much of the moduli.
/// The mean of the roots of few counts is
/// far below the root of their mean, and weights of 1 / (I + 1) prefer what was counted too low.
/// The guide compares this estimate with simulations.
double lost_phase(Totals const& totals, stem4d::Likelihood likelihood, double count);

/// The note where the last stage does not fit the Poisson likelihood (projections and the PIE
/// family never do) and phases come out too low by 2 % or more; else empty. `count`: the value of
/// one count; 0: values are not counts.
std::string warn_of_few_counts(Totals const& totals, stem4d::PtychographyOptions const& options,
                               double count);

}  // namespace sluice::ptycho
