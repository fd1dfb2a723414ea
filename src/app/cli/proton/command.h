// The verbs of `sluice proton`, a file each; each sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"

namespace sluice::cli {

void add_proton(Verb const& program, int& exit_code);

void add_proton_run(Verb const& group, int& exit_code);
void add_proton_dose(Verb const& group, int& exit_code);
void add_proton_dvh(Verb const& group, int& exit_code);
void add_proton_place_spots(Verb const& group, int& exit_code);
void add_proton_rbe(Verb const& group, int& exit_code);
void add_proton_gamma(Verb const& group, int& exit_code);
void add_proton_converge(Verb const& group, int& exit_code);
void add_proton_benchmark(Verb const& group, int& exit_code);
void add_proton_base_data(Verb const& group, int& exit_code);
void add_proton_batch(Verb const& group, int& exit_code);

}  // namespace sluice::cli
