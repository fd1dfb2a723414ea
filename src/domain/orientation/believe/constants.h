// Constants of the probability that a match is right. They are fitted on the halves `calibrate` of
// kinematic sets (bench/crystal/orientation_scene.py) and of multislice ones of gold, titanium and
// steel at 1e4 and 1e5 electrons (orientation_scans.py), and, with a tenth of their weight, on the
// former against crystals that they are not of, by:
// python bench/crystal/orientation_reliability.py KINEMATIC MULTISLICE --fit
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::orient::fitted {

inline constexpr double constant = -6.6430, gap = 0.0732, odds = 0.4393, both = 4.5288,
                        explained_disks = 2.3123, places = 0.3244, intensities = 0.1928;
// Above its knots the sum is bent.
inline constexpr double first_knot = 1.3204, first_bend = 0.5346, second_knot = 2.6732,
                        second_bend = -0.4074;

}  // namespace sluice::orient::fitted
