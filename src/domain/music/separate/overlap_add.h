// OverlapAdd: joins chunks of stems to stems, in the order of the samples.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sluice/view.h"

namespace sluice::music {

/// Holds the sums of samples that are not final yet, at most a chunk's. A lane is a channel of a
/// stem. Chunks come in the order of their beginnings; sums are taken in that order, in float32.
class OverlapAdd {
  public:
    /// `divisor`: what sums are divided by, or else by the sum of the weights; 0/0 is 0.
    OverlapAdd(index lanes, index samples, std::optional<float> divisor);

    /// Adds a chunk [lanes][stride] of which the first weights.size() positions count; position 0
    /// is `begin`. What is before the first sample that is not final is left out.
    void add(index begin, std::span<float const> chunk, index stride,
             std::span<float const> weights);
    /// Appends the samples before `end` to the lanes of `out`: nothing more will be added to them.
    void take(index end, std::vector<std::vector<float>>& out);

  private:
    index lanes_, capacity_;
    std::optional<float> divisor_;
    index first_ = 0;                    ///< the first sample that is not final
    index held_ = 0;                     ///< samples from there on to which something was added
    std::vector<float> sums_, weights_;  ///< [lanes][capacity], [capacity]
};

}  // namespace sluice::music
