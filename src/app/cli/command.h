// The commands; each adds itself to the program's parser and sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace sluice::cli {

void add_info(CLI::App& parent, int& exit_code);
void add_virtual_image(CLI::App& parent, int& exit_code);
void add_center_of_mass(CLI::App& parent, int& exit_code);
void add_diffraction_pattern(CLI::App& parent, int& exit_code);
void add_stem4d_benchmark(CLI::App& parent, int& exit_code);
void add_overview(CLI::App& parent, int& exit_code);
void add_view(CLI::App& parent, int& exit_code);

/// Of `sluice slide`.
void add_slide_read(CLI::App& parent, int& exit_code);
void add_slide_check(CLI::App& parent, int& exit_code);
void add_slide_convert(CLI::App& parent, int& exit_code);
void add_slide_profile(CLI::App& parent, int& exit_code);
void add_slide_benchmark(CLI::App& parent, int& exit_code);

/// Of `sluice proton`.
void add_proton_run(CLI::App& parent, int& exit_code);
void add_proton_dvh(CLI::App& parent, int& exit_code);
void add_proton_gamma(CLI::App& parent, int& exit_code);
void add_proton_converge(CLI::App& parent, int& exit_code);
void add_proton_benchmark(CLI::App& parent, int& exit_code);
void add_proton_base_data(CLI::App& parent, int& exit_code);
void add_proton_batch(CLI::App& parent, int& exit_code);

}  // namespace sluice::cli
