// The history of benchmarks: a file with a line of JSON for each run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/json.h"
#include "sluice/result.h"

namespace sluice::bench {

/// What was timed of a benchmark, or why it was not.
struct HistoryRow {
    std::string benchmark, name;
    bool rival = false;
    std::vector<double> rounds_s = {};
    std::string missing = {};  ///< why it has no rounds

    bool operator==(HistoryRow const&) const = default;
};

/// One run of one program.
struct HistoryRun {
    std::string time, version, processor;
    double load_before = 0;
    std::string session = {};  ///< runs whose rounds were taken in turns have the same
    std::vector<HistoryRow> rows = {};

    bool operator==(HistoryRun const&) const = default;
};

/// A line without its end.
std::string line_of(HistoryRun const& run);
Result<HistoryRun> parse_line(std::string_view line);

/// All runs of a file, the oldest first; none where there is no such file. An error names the line.
Result<std::vector<HistoryRun>> load_history(std::string const& path);
/// Adds a run at the end. The file is there whole at any time.
Status add_to_history(std::string const& path, HistoryRun const& run);

}  // namespace sluice::bench
