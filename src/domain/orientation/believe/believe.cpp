// Whether a match is believed: plain rules.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "domain/orientation/believe/evidence.h"

namespace sluice::orient {
namespace {

constexpr int least_matched = 3;
// Of the counts; where crystals overlap, of one of them.
constexpr float least_explained = 0.5F, least_of_overlapping = 0.2F;
// Twenty times as likely as the next one.
constexpr float least_gain = 3;
// Radian: an orientation that is not known to 3 degrees is none.
constexpr float most_error = 0.05F;

}  // namespace

Belief believe(Evidence const& e) {
    using stem4d::OrientationReason;
    Belief out;
    out.probability = std::numeric_limits<float>::quiet_NaN();
    if (e.matched < least_matched ||
        !(e.explained >= (e.crystals > 1 ? least_of_overlapping : least_explained)) ||
        !(e.log_odds > 0))
        out.reason = OrientationReason::no_match;
    else if (e.log_odds < e.second_log_odds + least_gain || e.tilt_error > most_error)
        out.reason = OrientationReason::ambiguous;
    return out;
}

}  // namespace sluice::orient
