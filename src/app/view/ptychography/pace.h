// Pace: how often something may be done that costs the time of other work.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace sluice::app {

/// Something that takes the time t is done again after `share` times t, and not before `least`.
class Pace {
  public:
    using Clock = std::chrono::steady_clock;

    Pace(Clock::duration least, int share) : least_(least), share_(share) {}

    bool due(Clock::time_point now) const { return now >= next_; }
    void done(Clock::time_point began, Clock::time_point ended) {
        next_ = ended + std::max(least_, (ended - began) * share_);
    }
    /// Lets it be done at once.
    void reset() { next_ = {}; }

  private:
    Clock::duration least_;
    int share_;
    Clock::time_point next_ = {};
};

}  // namespace sluice::app
