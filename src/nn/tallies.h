// Tallies of parts of a tensor, joined to the moments of all of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "nn/normalise.h"
#include "nn/normalise_kernels.h"

namespace sluice::nn {

/// The tallies of some parts: each channel's mean and sum of squared distances.
class Tallies {
  public:
    Tallies(index parts, index channels)
        : channels_(channels),
          mean_(static_cast<std::size_t>(parts * channels)),
          squares_(mean_.size()) {}

    /// Of a part, from a channel on.
    Tally at(index part, index channel = 0) {
        index const i = part * channels_ + channel;
        return {mean_.data() + i, squares_.data() + i};
    }
    /// Joined in the order of the parts, of which each has counts[part] numbers of each channel.
    Moments moments(std::vector<index> const& counts) const;

  private:
    index channels_;
    std::vector<double> mean_, squares_;
};

}  // namespace sluice::nn
