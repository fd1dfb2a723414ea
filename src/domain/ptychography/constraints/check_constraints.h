// Whether a stage's constraints can be met.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// The error names the wrong option and a remedy.
Status check_constraints(stem4d::Patterns const& patterns,
                         stem4d::PtychographyOptions const& options,
                         stem4d::PtychographyStage const& stage);

/// What a constraint changes beyond its name.
std::vector<std::string> notes_of_constraints(stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
