// The verbs of `sluice slide`, a file each; each sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace sluice::cli {

void add_slide(CLI::App& program, int& exit_code);

void add_slide_read(CLI::App& group, int& exit_code);
void add_slide_check(CLI::App& group, int& exit_code);
void add_slide_convert(CLI::App& group, int& exit_code);
void add_slide_profile(CLI::App& group, int& exit_code);
void add_slide_benchmark(CLI::App& group, int& exit_code);

}  // namespace sluice::cli
