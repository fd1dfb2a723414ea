// What disks miss theory by beyond their own errors, measured on a sample of patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/match/matcher.h"

namespace sluice::orient {

/// The rules with the errors that the options leave open. Errors: the run was stopped.
Result<FitRules> measured_errors(MatchRules const& rules, stem4d::Options const& run);

}  // namespace sluice::orient
