// The filters that bring references nearest to an estimate, over a whole song.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/music/score_correlations.h"

namespace sluice::music {

/// Filters of `from` channels that make one channel of an estimate.
struct Filters {
    index first = 0, count = 0;  ///< the references that are filtered
    std::vector<double> taps;    ///< [count][bss_taps]
};

/// For each channel of an estimate: the filters of its own stem's references, and those of all.
struct SongFilters {
    std::vector<Filters> own, all;
};

/// Least squares over the song, which is silent before and behind.
SongFilters find_filters(Correlations const& correlations, index channels, int threads);

}  // namespace sluice::music
