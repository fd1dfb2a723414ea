// Whether a stage's constraints are ones that can be kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Fails with what is wrong, and what to do.
Status check_constraints(stem4d::Patterns const& patterns,
                         stem4d::PtychographyOptions const& options,
                         stem4d::PtychographyStage const& stage);

/// What a constraint changes beyond its name.
std::vector<std::string> notes_of_constraints(stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
