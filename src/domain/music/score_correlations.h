// Correlations of all channels of a song, over the lags that filters have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "sluice/music_score.h"

namespace sluice::music {

/// All channels of stems: number s * channels + c is channel c of stem s.
struct Channels {
    std::span<StemPair const> stems;
    index channels = 1;

    index count() const { return std::ssize(stems) * channels; }
    index frames() const { return std::ssize(stems[0].reference) / channels; }
    double reference(index number, index frame) const {
        auto const& all = stems[static_cast<std::size_t>(number / channels)].reference;
        return all[static_cast<std::size_t>(frame * channels + number % channels)];
    }
    double estimate(index number, index frame) const {
        auto const& all = stems[static_cast<std::size_t>(number / channels)].estimate;
        return all[static_cast<std::size_t>(frame * channels + number % channels)];
    }
};

/// Correlations for the lags 0 to bss_taps - 1.
struct Correlations {
    index count = 0;  ///< of channels
    /// Sum over t of x_i(t) x_j(t + lag), at [(i * count + j) * bss_taps + lag]; x are references.
    std::vector<double> references;
    /// The same with y_j, the estimates, in place of x_j.
    std::vector<double> estimates;

    double reference(index i, index j, index lag) const {
        return references[static_cast<std::size_t>((i * count + j) * bss_taps + lag)];
    }
    double estimate(index i, index j, index lag) const {
        return estimates[static_cast<std::size_t>((i * count + j) * bss_taps + lag)];
    }
};

/// Block by block, so that memory does not grow with the song. `tell` receives the part that is
/// done; its error ends the work.
Result<Correlations> correlate(Channels const& song, int threads,
                               std::function<Status(double)> const& tell);

}  // namespace sluice::music
