// The probability that a match is right: that no other orientation is, times that its tilt is
// known. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/orientation/believe/constants.h"
#include "domain/orientation/believe/evidence.h"
#include "domain/orientation/vectors.h"

namespace sluice::orient {
namespace {

constexpr int least_matched = 3;
// Of the counts; where crystals overlap, of one of them.
constexpr float least_explained = 0.5F, least_of_overlapping = 0.2F;
// Twenty times as likely as the next one.
constexpr float least_gain = 3;
// Beyond these a number tells no more.
constexpr double most_gap = 15, most_odds = 100;
constexpr double right_within = 3 * degree;

double d(float x) {
    return static_cast<double>(x);
}

double none_other(Evidence const& e) {
    namespace c = fitted;
    double const gap = d(e.log_odds - e.others_log_odds);
    double const matched = std::max(1, e.matched);
    double const sum = c::constant + c::gap * std::clamp(gap, -1.0, most_gap) +
                       c::gap_log * std::log1p(std::clamp(gap, -0.95, most_gap)) +
                       c::odds * std::log(std::clamp(d(e.log_odds), 1.0, most_odds)) +
                       c::seen * matched / (matched + e.missing) +
                       c::explained_disks * matched / std::max(1, e.disks) -
                       c::intensities * std::log1p(d(e.intensity_chi2) / matched);
    return 1 / (1 + std::exp(-sum));
}

double tilt_known(Evidence const& e) {
    double const error = std::isfinite(e.tilt_error) ? std::clamp(d(e.tilt_error), 1e-4, 1.0) : 1;
    double const x = square(right_within / error) / 2;
    return -std::expm1(-std::exp(fitted::log_tilt_factor) *
                       std::pow(x, std::exp(fitted::log_tilt_power)));
}

}  // namespace

Belief believe(Evidence const& e, double least_probability) {
    using stem4d::OrientationReason;
    Belief out;
    out.probability = static_cast<float>(none_other(e) * tilt_known(e));
    if (e.matched < least_matched ||
        !(e.explained >= (e.crystals > 1 ? least_of_overlapping : least_explained)) ||
        !(e.log_odds > 0))
        out.reason = OrientationReason::no_match;
    else if (d(out.probability) >= least_probability)
        out.reason = OrientationReason::indexed;
    else if (e.log_odds < e.others_log_odds + least_gain)
        out.reason = OrientationReason::ambiguous;
    else
        out.reason = OrientationReason::unreliable;
    return out;
}

}  // namespace sluice::orient
