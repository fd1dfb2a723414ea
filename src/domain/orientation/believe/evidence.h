// Evidence: what is known of a match that tells whether it is right.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation_map.h"

namespace sluice::orient {

struct Evidence {
    float score = 0;         ///< correlation with the pattern, 0 to 1
    float second_score = 0;  ///< of the best other orientation or phase
    /// Logarithms of the odds of match and second against chance; the disks of one pattern.
    float log_odds = 0, second_log_odds = 0;
    float residual = 0, explained = 0;         ///< as in OrientationMap
    std::int32_t disks = 0;                    ///< that took part
    std::int32_t matched = 0;                  ///< of them, that a reflection explains
    std::int32_t crystals = 1;                 ///< that may overlap in the pattern
    std::int32_t missing = 0;                  ///< reflections without a disk
    float place_chi2 = 0, intensity_chi2 = 0;  ///< sums over the matched disks
    float tilt_error = 0;  ///< radian, the largest standard error of the orientation; NaN: none
    float stretch = 0, stretch_error = 0;  ///< common factor of places over theory, less 1
};

/// Whether a match is taken, and how likely it is right; NaN where that is not known.
struct Belief {
    stem4d::OrientationReason reason = stem4d::OrientationReason::indexed;
    float probability = 0;
};
Belief believe(Evidence const& evidence);

}  // namespace sluice::orient
