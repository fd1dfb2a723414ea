// The verbs of `sluice slide`, a file each; each sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"

namespace sluice::cli {

void add_slide(Verb const& program, int& exit_code);

void add_slide_read(Verb const& group, int& exit_code);
void add_slide_check(Verb const& group, int& exit_code);
void add_slide_convert(Verb const& group, int& exit_code);
void add_slide_profile(Verb const& group, int& exit_code);
void add_slide_benchmark(Verb const& group, int& exit_code);

}  // namespace sluice::cli
