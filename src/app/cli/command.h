// The verbs of no domain; each adds itself to the program's parser and sets the exit code when it
// was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"

namespace sluice::cli {

void add_info(Verb const& program, int& exit_code);
void add_view(Verb const& program, int& exit_code);

}  // namespace sluice::cli
