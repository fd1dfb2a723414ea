// Whether options make sense together, and what kinds of stages there are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Whether its solver is one of the projections, which keep every wave.
bool projects(stem4d::PtychographyStage const& stage);

/// Whether a stage goes back to its best state: only where R falls by nature does its rise tell
/// anything.
bool goes_back(stem4d::PtychographyOptions const& options, stem4d::PtychographyStage const& stage);

/// Whether its solver minimises the likelihood that it is given.
bool chooses_likelihood(stem4d::PtychographyStage const& stage);

/// The likelihood that a stage fits: its own, or amplitude where the solver knows no other.
stem4d::Likelihood fitted(stem4d::PtychographyStage const& stage);

/// Fails with what is wrong, and what to do.
Status check_options(stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
