// The verbs of `sluice stem4d`, a file each; each sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace sluice::cli {

void add_stem4d(CLI::App& program, int& exit_code);

void add_overview(CLI::App& group, int& exit_code);
void add_virtual_image(CLI::App& group, int& exit_code);
void add_center_of_mass(CLI::App& group, int& exit_code);
void add_diffraction_pattern(CLI::App& group, int& exit_code);
void add_stem4d_benchmark(CLI::App& group, int& exit_code);

}  // namespace sluice::cli
