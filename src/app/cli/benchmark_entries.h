// The registry of benchmarks: what each times, and the words of its command.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sluice/result.h"

namespace sluice::cli {

struct BenchmarkEntry {
    enum class Kind : std::uint8_t {
        verb,     ///< a domain's own benchmark, which tells its rounds as JSON
        command,  ///< a whole command, timed from outside
    };
    std::string name;
    Kind kind = Kind::verb;
    std::string about;
    /// Of the command. "{scan}", "{small}" and "{slide}" are input, "{out}" is a new folder.
    std::vector<std::string> words;
};

std::span<BenchmarkEntry const> benchmark_entries();

/// Entries by name; "all" are all of them. An error lists the names.
Result<std::vector<BenchmarkEntry>> find_benchmarks(std::vector<std::string> const& names);

}  // namespace sluice::cli
