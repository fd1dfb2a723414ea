// Matches single patterns, and says what their candidates predict.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/orientation/match/match_work.h"
#include "domain/orientation/match/nearest_zone.h"

namespace sluice::stem4d {

using orient::MatchWork;

struct OrientationMatcher::State {
    CalibratedVectors vectors;
    Options run;
    OrientationLibrary library;
    std::unique_ptr<MatchWork> work = {};

    OrientationCandidate candidate(orient::Fitted const& fitted, Point const& origin) const;
};

OrientationMatcher::OrientationMatcher(std::unique_ptr<State> state) : state_(std::move(state)) {}
OrientationMatcher::OrientationMatcher(OrientationMatcher&&) noexcept = default;
OrientationMatcher& OrientationMatcher::operator=(OrientationMatcher&&) noexcept = default;
OrientationMatcher::~OrientationMatcher() = default;

Result<OrientationMatcher> OrientationMatcher::begin(CalibratedVectors vectors,
                                                     OrientationLibrary const& library,
                                                     MatchOptions const& options,
                                                     Options const& run) {
    auto state = std::make_unique<State>(State{std::move(vectors), run, library});
    SLUICE_TRY(state->work, MatchWork::begin(state->vectors, state->library, options, state->run));
    state->run.progress = {};
    return OrientationMatcher(std::move(state));
}

OrientationCandidate OrientationMatcher::State::candidate(orient::Fitted const& fitted,
                                                          Point const& origin) const {
    OrientationCandidate c{.phase = fitted.phase,
                           .orientation = fitted.orientation,
                           .covariance = fitted.covariance,
                           .log_odds = fitted.log_odds,
                           .residual = static_cast<float>(fitted.residual),
                           .explained = static_cast<float>(fitted.explained),
                           .matched = fitted.disks};
    auto const& cell = library.phases()[static_cast<std::size_t>(fitted.phase)].cell;
    auto const zone = orient::nearest_zone(fitted.orientation.turn({0, 0, -1}), cell);
    c.zone = zone.uvw, c.zone_degrees = zone.degrees;
    // Back to the detector: the inverse of what apply_calibration() does.
    auto const& calibration = vectors.calibration;
    Point const center = calibration.center();
    auto const [rr, rc, cc] = calibration.distortion.value_or(Distortion{}).inverse();
    for (TheorySpot const& spot : library.pattern(fitted.phase, fitted.orientation).value()) {
        Point const place = work->reader().place_of(spot.col, spot.row);
        double const row = place.row - center.row, col = place.col - center.col;
        c.spots.push_back(
            {spot, {origin.row + rr * row + rc * col, origin.col + rc * row + cc * col}});
    }
    return c;
}

Result<PatternOrientations> OrientationMatcher::of(index row, index col) const {
    State const& s = *state_;
    auto const [rows, cols] = s.vectors.vectors.scan_shape;
    if (row < 0 || col < 0 || row >= rows || col >= cols)
        return Error{Code::invalid_argument,
                     fmt::format("there is no pattern at row {}, column {} (the scan has {} rows "
                                 "and {} columns, from 0 on)",
                                 row, col, rows, cols)};
    auto const& [rules, pool] = s.work->analysis();
    auto matcher = pool.take(rules);
    std::vector<orient::Fitted> fitted;
    orient::Match const best = matcher->first_of(row * cols + col, fitted);
    PatternOrientations out;
    out.reason = best.reason;
    out.disks = best.evidence.disks;
    if (best.phase >= 0)
        out.probability =
            orient::believe(best.evidence, rules.options.least_probability).probability;
    Point const origin = s.vectors.calibration.origins->at(row, col);
    for (orient::Fitted const& one : fitted) {
        out.candidates.push_back(s.candidate(one, origin));
        out.candidates.back().score = matcher->score_of(0, one);
    }
    pool.give(std::move(matcher));
    return out;
}

Result<PatternOrientations> orientation_of_pattern(CalibratedVectors const& vectors, index row,
                                                   index col, OrientationLibrary const& library,
                                                   MatchOptions const& options,
                                                   Options const& run) {
    SLUICE_TRY(auto const matcher, OrientationMatcher::begin(vectors, library, options, run));
    return matcher.of(row, col);
}

}  // namespace sluice::stem4d
