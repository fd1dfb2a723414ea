// Two runs of benchmarks beside each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/outputs.h"
#include "bench/history.h"

namespace sluice::cli {

/// The row of a run that times the same; null where there is none.
bench::HistoryRow const* same_row(bench::HistoryRun const& run, bench::HistoryRow const& like);

void print_comparison(bench::HistoryRun const& before, bench::HistoryRun const& after);
Json comparison_json(bench::HistoryRun const& before, bench::HistoryRun const& after);
/// As the history has it.
Json to_json(bench::HistoryRun const& run);

}  // namespace sluice::cli
