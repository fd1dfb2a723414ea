// The verbs of `sluice proton`, a file each; each sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace sluice::cli {

void add_proton(CLI::App& program, int& exit_code);

void add_proton_run(CLI::App& group, int& exit_code);
void add_proton_dvh(CLI::App& group, int& exit_code);
void add_proton_gamma(CLI::App& group, int& exit_code);
void add_proton_converge(CLI::App& group, int& exit_code);
void add_proton_benchmark(CLI::App& group, int& exit_code);
void add_proton_base_data(CLI::App& group, int& exit_code);
void add_proton_batch(CLI::App& group, int& exit_code);

}  // namespace sluice::cli
