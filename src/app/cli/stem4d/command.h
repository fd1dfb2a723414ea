// The verbs of `sluice stem4d` that are here, a file each; each sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"

namespace sluice::cli {

void add_overview(Verb const& group, int& exit_code);
void add_virtual_image(Verb const& group, int& exit_code);
void add_center_of_mass(Verb const& group, int& exit_code);
void add_diffraction_pattern(Verb const& group, int& exit_code);
void add_tables(Verb const& group, int& exit_code);
void add_drift(Verb const& group, int& exit_code);
void add_disks(Verb const& group, int& exit_code);
void add_calibrate(Verb const& group, int& exit_code);
void add_strain(Verb const& group, int& exit_code);
void add_orientation(Verb const& group, int& exit_code);
void add_stem4d_convert(Verb const& group, int& exit_code);
void add_analyze(Verb const& group, int& exit_code);
void add_stem4d_benchmark(Verb const& group, int& exit_code);

}  // namespace sluice::cli
