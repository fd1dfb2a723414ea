// Matcher: the crystals of some patterns, one after the other in each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/believe/evidence.h"
#include "domain/orientation/match/group_search.h"
#include "domain/orientation/refine/competition.h"
#include "sluice/match_orientations.h"

namespace sluice::orient {

/// A crystal of a pattern.
struct Match {
    stem4d::OrientationReason reason = stem4d::OrientationReason::no_disks;
    std::int32_t phase = -1;
    stem4d::Orientation orientation;
    std::array<double, 6> covariance;
    Evidence evidence;

    Match();
};

/// What all workers share.
struct MatchRules {
    stem4d::MatchOptions options;
    FitRules fit;
    MatchKernels const& kernels;
};

/// One for each worker.
class Matcher {
  public:
    explicit Matcher(MatchRules const& rules);

    /// The crystals of patterns: [pattern][grain], at least one of each.
    void operator()(std::span<index const> patterns, std::vector<std::vector<Match>>& out);

    /// The first crystal of a pattern, and all that competed for it: the likeliest first, without
    /// those near a likelier one.
    Match first_of(index pattern, std::vector<Fitted>& candidates);
    /// Of a pattern of the last call by its place in it: the correlation with a fit.
    float score_of(index pattern, Fitted const& fitted);

  private:
    void begin(std::span<index const> patterns, std::vector<std::vector<Match>>& out);
    Match best_of(index pattern);

    MatchRules const& rules_;
    GroupSearch search_;
    Competition compete_;
    std::vector<PatternDisks> disks_;
    std::vector<Candidates> found_;
    std::vector<Start> starts_;
    std::vector<std::uint8_t> more_;  // [pattern] crystals may be in what is left
    Excited excited_;
    std::vector<float> weight_, sums_, spectrum_;
};

}  // namespace sluice::orient
