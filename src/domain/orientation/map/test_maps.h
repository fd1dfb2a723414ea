// Orientation maps made up for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "sluice/orientation_map.h"

namespace sluice::orient {

stem4d::Orientation random_orientation(std::mt19937& random);

/// Phases of aluminium (m-3m) and titanium (6/mmm), with atoms.
std::vector<stem4d::CrystalPhase> test_phases();

/// Grains around random places, each of one phase and orientation with some noise. Patterns are
/// any of their equals; some are not indexed, and keep a wrong orientation.
struct GrainyMap {
    stem4d::OrientationMap map;
    std::vector<int> seed;                   ///< [pattern] the place that it belongs to
    std::vector<stem4d::Orientation> truth;  ///< of each place
};
GrainyMap grainy_map(index rows, index cols, int places, double noise_degrees, unsigned number);

}  // namespace sluice::orient
