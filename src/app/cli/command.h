// The verbs that no single folder has: those without a domain, and the group `stem4d`. Each
// function adds a verb to the program's parser; the verb sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"

namespace sluice::cli {

void add_acquisition(Verb const& program, int& exit_code);
void add_benchmark(Verb const& program, int& exit_code);
void add_doctor(Verb const& program, int& exit_code);
void add_info(Verb const& program, int& exit_code);
void add_plan(Verb const& program, int& exit_code);
void add_validate(Verb const& program, int& exit_code);
void add_stem4d(Verb const& program, int& exit_code);
void add_view(Verb const& program, int& exit_code);

}  // namespace sluice::cli
