// Orientation maps in words, as JSON, and as maps of numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/outputs.h"
#include "sluice/orientation_map.h"

namespace sluice::cli {

/// How many patterns each phase and each reason has.
Json json_of_orientations(stem4d::OrientationMap const& map);
std::vector<std::string> lines_of_orientations(stem4d::OrientationMap const& map);

/// Where neighbours differ by so much, and how disorientations are spread, in words and as JSON.
Status tell_boundaries(stem4d::OrientationMap const& map, double least_degrees,
                       std::vector<std::string>& lines, Json& json);

/// Phase (from 1 on), Euler angles with the errors of the orientation, probability, scores and what
/// else speaks for a match. Only indexed patterns have a phase and angles.
std::vector<ScanMap> maps_of(stem4d::OrientationMap const& map);

}  // namespace sluice::cli
