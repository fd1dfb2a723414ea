// What a conversion of a scan takes, and how fast it is on bands of the scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "planning/subject.h"

namespace sluice::planning {

struct ConversionPlan {
    std::string format;
    std::uint64_t work_bytes = 0;  ///< of the blocks of all threads
    /// The part of what threads take that the allocator keeps between blocks of unlike sizes.
    /// Blocks that are not compressed are the largest.
    double holes = 0;
};
Result<ConversionPlan> plan_conversion(Subject const& subject, PlanOptions const& options,
                                       std::vector<std::string>& notes);

/// Bands are written into the folder of the options, and removed.
struct ConversionRates {
    std::vector<double> frame_s;  ///< seconds for a frame, of each band
    double fixed_s = 0;           ///< of a conversion, however small it is
};
Result<ConversionRates> measure_conversion(Subject const& subject, PlanOptions const& options);

}  // namespace sluice::planning
