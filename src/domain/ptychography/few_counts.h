// Patterns of few counts, and likelihoods that do not suit them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

/// What to say where the last stage fits amplitudes, as projections and the PIE family do, and a
/// good part of the amplitude lies in pixels of less than one count; else nothing. The mean of the
/// roots of few counts is far below the root of their mean, so that such a fit draws dark pixels
/// to zero, and what is finest in the object with them.
std::string warn_of_few_counts(Totals const& totals, stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
