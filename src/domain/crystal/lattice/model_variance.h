// What all disks of a scan miss their lattices by beyond their own errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/lattice/pattern_fit.h"

namespace sluice::crystal {

/// The variance in px^2 that makes the median chi2 of the scan 1; 0 where it is below 1 without.
/// `rules.equal`: the only variance. It looks at 1024 patterns at most, evenly over the scan.
double model_variance(stem4d::BraggVectors const& vectors, FitRules rules, int threads);

/// The median of chi2 per degree of freedom where there are so many.
double median_chi2(double freedom);

}  // namespace sluice::crystal
