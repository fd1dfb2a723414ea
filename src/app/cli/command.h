// The verbs of no domain; each adds itself to the program's parser and sets the exit code when it
// was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace sluice::cli {

void add_info(CLI::App& program, int& exit_code);
void add_view(CLI::App& program, int& exit_code);

}  // namespace sluice::cli
