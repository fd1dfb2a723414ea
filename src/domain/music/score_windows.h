// BSS Eval v4: how much of an estimate filtered references explain, window by window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/score_filters.h"

namespace sluice::music {

/// Adds windows and medians to the stems of a score.
Status add_bss(Score& score, std::span<StemPair const> stems, index channels, int rate,
               ScoreOptions const& options);

/// The median of the values that are not NaN, with the mean of the middle two; NaN if there are
/// none.
double median_of(std::vector<double> values);

}  // namespace sluice::music
