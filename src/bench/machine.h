// What machine a benchmark ran on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bench/json.h"

namespace sluice::bench {

/// Processor, memory, kernel, versions, the load before and the time; and the file system of
/// `path`, if there is such a file.
Json machine(std::string const& path = {});

/// The same as a line of text.
std::string machine_line(Json const& machine);

}  // namespace sluice::bench
