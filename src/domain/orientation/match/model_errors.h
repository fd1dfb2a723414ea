// What disks miss theory by beyond their own errors, measured on a sample of patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/match/matcher.h"

namespace sluice::orient {

/// What is given, and where nothing is, what the measurement begins with.
ErrorModel first_errors(stem4d::MatchOptions const& options, stem4d::LibraryOptions const& library);

struct MeasuredErrors {
    ErrorModel errors;
    index patterns = 0;  ///< that were looked at; 0: nothing was measured
    /// Of electrons that fit the sample clearly better than those of the library; 0: none do.
    double better_kilovolts = 0;
};
/// Those of the rules, with all that the options leave open measured. Errors: the run was stopped.
Result<MeasuredErrors> measured_errors(MatchRules const& rules, stem4d::Options const& run);

}  // namespace sluice::orient
