// Counting: what one count is among the values of patterns, and what that decides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

/// The value that all values are whole multiples of: 1 for whole numbers, else a gain; 0: the
/// values are not counts. Of up to 50 patterns on each rank.
double value_of_count(Measured const& measured, Share const& share);

/// About the square of the R that counting noise alone leaves, by the mean pattern; 0 where values
/// are not counts.
double counting_noise(Totals const& totals, double count);

/// `automatic` becomes the Poisson likelihood of counts where the solver supports it, else that of
/// amplitudes. Notes say where a solver did not, and why.
void choose_likelihoods(double count, stem4d::PtychographyOptions& options,
                        std::vector<std::string>& notes);

}  // namespace sluice::ptycho
