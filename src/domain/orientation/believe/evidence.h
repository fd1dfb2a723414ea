// Evidence: what is known of a match that tells whether it is right.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "sluice/orientation_map.h"

namespace sluice::orient {

struct Evidence {
    float score = 0;         ///< correlation with the pattern, 0 to 1
    float second_score = 0;  ///< the best one of all other orientations and phases
    /// Logarithms of the odds of match and second against chance; the disks of one pattern.
    float log_odds = 0, second_log_odds = 0;
    /// Of all others together: the logarithm of the sum of their odds.
    float others_log_odds = 0;
    float second_degrees = 0;                  ///< from match to second; 180: of another phase
    float residual = 0, explained = 0;         ///< as in OrientationMap
    std::int32_t disks = 0;                    ///< that took part
    std::int32_t matched = 0;                  ///< of them, that a reflection explains
    std::int32_t crystals = 1;                 ///< that may overlap in the pattern
    std::int32_t missing = 0;                  ///< reflections without a disk
    std::int32_t visible = 0;                  ///< reflections that would show
    std::int32_t second_matched = 0;           ///< disks that the second explains
    float second_explained = 0;                ///< by the second
    float place_chi2 = 0, intensity_chi2 = 0;  ///< sums over the matched disks
    /// Root mean square of what matched disks miss theory by, and the most that one may;
    /// 1/ångström.
    float place_rms = 0, tolerance = 0;
    float tilt_error = 0;  ///< radian, the largest standard error of the orientation; NaN: none
    float stretch = 0, stretch_error = 0;  ///< common factor of places over theory, less 1
};
/// All of them with their names.
std::vector<std::pair<std::string_view, double>> numbers_of(Evidence const& evidence);

/// Whether a match is taken, and how likely it is right within 3 degrees.
struct Belief {
    stem4d::OrientationReason reason = stem4d::OrientationReason::indexed;
    float probability = 0;
};
Belief believe(Evidence const& evidence, double least_probability = 0.9);

}  // namespace sluice::orient
