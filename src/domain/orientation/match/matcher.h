// Matcher: the crystals of some patterns, one after the other in each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/believe/evidence.h"
#include "domain/orientation/match/group_search.h"
#include "domain/orientation/refine/fit_orientation.h"
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
    stem4d::OrientationLibrary::State const& library;
    DiskReader const& reader;
    stem4d::MatchOptions options;
    FitRules fit;
    MatchKernels const& kernels;
};

/// One for each worker.
class Matcher {
  public:
    explicit Matcher(MatchRules const& rules);

    /// The crystals of patterns: [pattern][grain], at least one of each. `misses`, if it is there,
    /// takes what the disks of the best matches miss theory by.
    void operator()(std::span<index const> patterns, std::vector<std::vector<Match>>& out,
                    std::vector<Miss>* misses = nullptr);

  private:
    Match best_of(index pattern, Candidates const& candidates, std::vector<Miss>* misses);
    float score_of(index pattern, Fitted const& fitted);

    MatchRules const& rules_;
    GroupSearch search_;
    FitOrientation fit_;
    std::vector<PatternDisks> disks_;
    std::vector<Candidates> found_;
    std::vector<std::vector<std::uint8_t>> explained_;
    std::vector<Start> starts_;
    Excited excited_;
    std::vector<float> weight_, sums_, spectrum_;
};

}  // namespace sluice::orient
