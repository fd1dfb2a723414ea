// What the times of a slide's benchmark say, and which way of reading to recommend.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/slide/benchmark_jobs.h"
#include "bench/report.h"

namespace sluice::cli {

/// Feeds the rules of the profile with the times of these rounds: the findings, and the
/// recommendation. A way that the rules cannot judge is not recommended either.
void judge(slide::Facts facts, std::vector<Job> const& jobs, bench::Report& report);

}  // namespace sluice::cli
