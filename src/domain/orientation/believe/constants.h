// Constants of the probability that a match is right. Fitted on the halves `calibrate` of kinematic
// sets (bench/crystal/orientation_scene.py) and of multislice ones of gold, titanium and steel at
// 1e5 electrons (orientation_scans.py), by: python bench/crystal/orientation_reliability.py
// KINEMATIC MULTISLICE --fit SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::orient::fitted {

inline constexpr double constant = -3.8273;
inline constexpr double log_tilt_factor = 0.5646, log_tilt_power = -1.1323;
inline constexpr double gap = 0.2995, gap_log = 0.3021, odds = 0.2576, seen = 0.9283,
                        explained_disks = 2.5019, intensities = 0.1211;

}  // namespace sluice::orient::fitted
