// What machine a benchmark ran on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bench/json.h"

namespace sluice::bench {

/// The name that the processor gives itself; "unknown" where nobody says.
std::string processor_name();

/// The kind of file system that a path is on, as "ext4"; empty where there is no such file.
std::string file_system(std::string const& path);

/// Processor, memory, kernel, versions, the load before and the time; and the file system of
/// `path`, if there is such a file.
Json machine(std::string const& path = {});

/// The same as a line of text.
std::string machine_line(Json const& machine);

}  // namespace sluice::bench
