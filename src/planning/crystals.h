// Disks, lattices and orientations of a scan that is planned, from squares of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "planning/matching.h"
#include "planning/subject.h"

namespace sluice::planning {

/// What was found in some squares of a scan. Seconds are for a pattern, of each square.
struct CrystalSample {
    index patterns = 0;                 ///< of a square
    double disks = 0;                   ///< of a pattern
    index pixels = 0, value_bytes = 2;  ///< of a pattern as loaded
    std::uint64_t work_bytes = 0;       ///< of the search, without what it finds
    double begin_s = 0;                 ///< to make the template and what the search begins with
    std::vector<double> find_s = {}, lattice_s = {};
    double calibrate_s = 0;  ///< to calibrate, for a pattern
    MatchRates match = {};
    int threads = 1;
    std::uint64_t library_bytes = 0, match_bytes = 0;
    double library_s = 0;
};

/// One square where nothing is measured, else five that lie far apart.
Result<CrystalSample> sample_crystals(Subject const& subject, PlanOptions const& options,
                                      std::vector<std::string>& notes);

/// The parts of the peak beside the scan, for so many patterns.
std::vector<PlanMemory> crystal_parts(CrystalSample const& sample, PlanOptions const& options,
                                      index patterns);
/// The steps after loading.
std::vector<PlanTime> crystal_steps(CrystalSample const& sample, PlanOptions const& options,
                                    index patterns);

}  // namespace sluice::planning
