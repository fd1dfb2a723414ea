// The table of MatchOptions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/match_orientations.h"

namespace sluice::stem4d {

config::Fields<MatchOptions> match_fields();

}  // namespace sluice::stem4d
