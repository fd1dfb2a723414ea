// What machine a benchmark ran on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/outputs.h"

namespace sluice::cli {

/// Processor, memory, kernel, the file system of `path`, versions and the time.
Json machine_of(std::string const& path);

}  // namespace sluice::cli
