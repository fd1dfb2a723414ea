// Runs benchmarks of one program or of two in turns, and keeps what their rounds took.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/benchmark_entries.h"
#include "bench/history.h"
#include "sluice/progress.h"

namespace sluice::cli {

struct BenchmarkRuns {
    std::vector<BenchmarkEntry> entries;
    std::string beside;  ///< another program, whose rounds are in turns with ours; empty: none
    std::string slide;   ///< empty: benchmarks of slides are missing
    std::string folder;  ///< where input is made, and removed; empty: the system's
    int rounds = 7;
    Progress progress = {};
};

/// One run for each program, ours first. What cannot run is a row that says why.
Result<std::vector<bench::HistoryRun>> run_benchmarks(BenchmarkRuns const& what);

}  // namespace sluice::cli
