// The patterns of a scan that is planned: some of them with their counts, all of them with places.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "planning/subject.h"

namespace sluice::planning {

struct PatternsPlan {
    stem4d::Patterns sample, small;    ///< of squares in the middle of the scan
    double sample_s = 0, small_s = 0;  ///< to make patterns of their frames
    index count = 0;                   ///< of all
    index iterations = 0;              ///< of all stages
    std::uint64_t counts_bytes = 0, work_bytes = 0;
    std::optional<GpuWork> gpu = {};
    std::string no_gpu = {};  ///< why there is none
};

Result<PatternsPlan> plan_patterns(Subject const& subject, PlanOptions const& options, index count,
                                   std::vector<std::string>& notes);

}  // namespace sluice::planning
