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
// Of the tolerance: places that have nothing to do with reflections miss by 0.7 of it.
constexpr float by_chance = 2.0F / 3;
// Twenty times as likely as the next one.
constexpr float least_gain = 3;
// Beyond these a number tells no more.
constexpr double most_gap = 15, most_odds = 400;
constexpr double right_within = 3 * degree;

double d(float x) {
    return static_cast<double>(x);
}

// High only where likelihoods and correlations both tell the match from all others.
double both(double gap, double score_gap) {
    return 1 / (1 / std::log(2 + std::clamp(gap, -0.95, 100.0)) +
                1 / std::clamp(10 * score_gap + 0.5, 0.05, 9.0));
}

double none_other(Evidence const& e) {
    namespace c = fitted;
    double const gap = d(e.log_odds - e.others_log_odds);
    double const matched = std::max(1, e.matched);
    double const sum = c::constant + c::gap * std::clamp(gap, -1.0, most_gap) +
                       c::odds * std::log(std::clamp(d(e.log_odds), 1.0, most_odds)) +
                       c::both * both(gap, d(e.score - e.second_score)) +
                       c::explained_disks * matched / std::max(1, e.disks) -
                       c::places * std::log(std::clamp(d(e.place_rms), 0.004, 0.04)) -
                       c::intensities * std::log1p(d(e.intensity_chi2) / matched);
    double const bent = sum + c::first_bend * std::max(0.0, sum - c::first_knot) +
                        c::second_bend * std::max(0.0, sum - c::second_knot);
    return 1 / (1 + std::exp(-bent));
}

// Of two errors that are equal and normal, the part within.
double tilt_known(Evidence const& e) {
    double const error = std::isfinite(e.tilt_error) ? std::max(d(e.tilt_error), 1e-4) : 1;
    return -std::expm1(-square(right_within / error) / 2);
}

}  // namespace

Belief believe(Evidence const& e, double least_probability) {
    using stem4d::OrientationReason;
    Belief out;
    out.probability = static_cast<float>(none_other(e) * tilt_known(e));
    if (e.matched < least_matched || e.place_rms > by_chance * e.tolerance ||
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
