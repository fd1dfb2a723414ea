// Grains of an orientation map: their mean orientations, their boundaries, and misorientations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation_map.h"

namespace sluice::stem4d {

struct OrientationGrainOptions {
    double threshold_degrees = 5;  ///< neighbours of one phase that differ less are of one grain
    index least_patterns = 3;      ///< what is smaller is no grain
};
struct OrientationGrain {
    std::int32_t phase = 0;
    /// The mean of its patterns, each taken as the one of its equals that is nearest.
    Orientation mean;
    double spread_degrees = 0;    ///< mean disorientation of its patterns from the mean
    double farthest_degrees = 0;  ///< the largest of them
    index patterns = 0;
    double diameter_nm = 0;   ///< of the circle of its area; 0: the step is not known
    double row = 0, col = 0;  ///< the middle of its patterns
};
struct OrientationGrains {
    std::array<index, 2> scan_shape{};
    std::vector<OrientationGrain> grains;  ///< most patterns first, then by their first pattern
    std::vector<std::int32_t> grain;       ///< [pattern] in `grains`; -1: in none
    std::vector<std::string> notes;        ///< patterns that are in none, and why
};
/// Groups of indexed patterns that are joined row by row or column by column. Errors: those of
/// check_orientations(), a threshold that is no angle above 0.
Result<OrientationGrains> find_grains(OrientationMap const& map,
                                      OrientationGrainOptions const& options = {});

/// Two patterns beside or below each other, with a boundary between them.
struct OrientationBoundary {
    index one = 0, two = 0;  ///< numbers of patterns
    double degrees = 0;      ///< their disorientation; NaN: between two phases
};
/// Between indexed patterns that differ by at least so much, or in their phases.
Result<std::vector<OrientationBoundary>> orientation_boundaries(OrientationMap const& map,
                                                                double least_degrees = 5);

struct DisorientationOptions {
    double bin_degrees = 1;
    double least_degrees = 0;  ///< pairs that differ less are left out
    index pairs = 100000;      ///< that are drawn
};
/// How often crystals of a phase differ by which angle, per degree: the sum of the bins times their
/// width is 1, or 0 where there is no pair.
struct DisorientationHistogram {
    std::int32_t phase = 0;
    double bin_degrees = 1;
    std::vector<double> neighbours;  ///< of patterns beside or below each other
    std::vector<double> drawn;       ///< of patterns drawn from the map, wherever they are
    std::vector<double> random;      ///< of crystals that lie in any way
    index neighbour_pairs = 0, drawn_pairs = 0;
};
/// The draw is the same each time. Errors: those of check_orientations(), no such phase, bins that
/// are no angles.
Result<DisorientationHistogram> disorientation_histogram(OrientationMap const& map,
                                                         std::int32_t phase,
                                                         DisorientationOptions const& options = {});

struct KernelAverageOptions {
    index rings = 1;          ///< neighbours are up to so many steps along rows and columns away
    double most_degrees = 5;  ///< those that differ more are of another grain, and left out
};
/// The mean disorientation of each pattern from its neighbours of its phase, in degrees.
Result<ScanMap> kernel_average_misorientation(OrientationMap const& map,
                                              KernelAverageOptions const& options = {});

struct OrientationGrainMaps {
    ScanMap grain;      ///< from 1 on
    ScanMap from_mean;  ///< disorientation of each pattern from the mean of its grain, in degrees
    ScanMap spread;     ///< that of its grain, in degrees
};
/// Errors: grains of another map.
Result<OrientationGrainMaps> grain_maps(OrientationMap const& map, OrientationGrains const& grains);

}  // namespace sluice::stem4d
