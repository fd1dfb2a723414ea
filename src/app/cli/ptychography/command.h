// The verb `ptychography` of the group `sluice stem4d`; it sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"

namespace sluice::cli {

void add_ptychography(Verb const& group, int& exit_code);

}  // namespace sluice::cli
