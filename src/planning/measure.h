// Rates of work on bands of a scan, which lie far from each other: some may be in the system's
// cache, and others on the disk, as those of the whole scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "planning/patterns.h"
#include "planning/subject.h"

namespace sluice::planning {

/// Seconds for a frame, of each band.
struct Bands {
    index frames = 0;  ///< of a band
    std::vector<double> load_s, images_s;
    double cached_load_s = 0;  ///< of a band that was loaded just before
    double begin_s = 0;        ///< before the first frame is loaded
    double disk_s = 0;         ///< to find the bright-field disk, once
};

/// Loads bands and, where detectors are asked for, makes their images.
Result<Bands> measure_bands(Subject const& subject, PlanOptions const& options);

/// What is taken once, and for each unit.
struct Line {
    double fixed = 0, unit = 0;
};
/// Through two measurements of {units, seconds}. Neither part is negative: where noise says so, or
/// both have as many units, the second one alone tells.
Line line_through(std::array<double, 2> few, std::array<double, 2> many);

/// Seconds for a pattern and an iteration, of some iterations each: the bands of a reconstruction.
struct Iterations {
    index patterns = 0;
    std::vector<double> pattern_s;
    Line begin;  ///< before the first iteration and after the last one
};
Result<Iterations> measure_iterations(PatternsPlan const& plan,
                                      stem4d::PtychographyOptions options);

/// So many units at the rates of bands, with a bar: at least a quarter to both sides, and a fifth
/// beyond the fastest and the slowest band.
PlanTime time_of(std::vector<double> const& unit_s, double units, double fixed_s,
                 std::string basis);
/// All steps together; their bars add up, for what disturbs one disturbs all.
PlanTime sum_of(std::vector<PlanTime> const& steps);

}  // namespace sluice::planning
