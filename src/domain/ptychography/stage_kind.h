// What kind of stage it is: what its solver does, whether it goes back, the size of its groups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Whether its solver is one of the projections, which keep every wave.
bool projects(stem4d::PtychographyStage const& stage);

/// Whether a stage goes back to its best state: a rise of R means something only where the solver
/// lowers R.
bool goes_back(stem4d::PtychographyOptions const& options, stem4d::PtychographyStage const& stage);

/// Whether its solver minimises the likelihood that it is given.
bool chooses_likelihood(stem4d::PtychographyStage const& stage);

/// The likelihood that a stage fits: its own, or amplitude where the solver supports no other.
stem4d::Likelihood fitted(stem4d::PtychographyStage const& stage);

/// Whether each pattern has a part of its residual that is best for it.
bool weighs_residuals(stem4d::PtychographyStage const& stage);

/// Patterns of a group: as the stage says, or as suits its solver.
index group_size(stem4d::PtychographyStage const& stage, index patterns, index slices);

}  // namespace sluice::ptycho
