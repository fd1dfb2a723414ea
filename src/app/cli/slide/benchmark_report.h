// What `sluice slide benchmark` has beside the report of all benchmarks: its columns and a picture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/slide/benchmark_jobs.h"
#include "bench/table.h"

namespace sluice::cli {

/// Fastest first within a pattern, cached before cold; and among the details of each what follows
/// from its time: pixels and samples a second, the class, and the speed-up over `sequential`.
void finish(bench::Report& report, std::vector<Job> const& jobs);

/// The columns, what stands above them, and what the slide is.
bench::Layout layout_of(bench::Report const& report, std::vector<Job> const& jobs);

/// Bars, as SVG.
std::string plot(bench::Report const& report, std::vector<Job> const& jobs);

}  // namespace sluice::cli
