// Counting: what one count is among the values of patterns, and what that decides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

/// The value that all values are whole multiples of: 1 of whole numbers, else that of a gain; 0:
/// the values are no counts. Of up to 50 patterns on each rank.
double value_of_count(Measured const& measured, Share const& share);

/// About the square of the R that counting alone leaves, by the mean pattern; 0 where values are no
/// counts.
double counting_noise(Totals const& totals, double count);

/// `automatic` becomes Poisson's likelihood of counts where the solver knows it, else that of
/// amplitudes. Notes say where a solver had to do without Poisson's, and why.
void choose_likelihoods(double count, stem4d::PtychographyOptions& options,
                        std::vector<std::string>& notes);

}  // namespace sluice::ptycho
