// LineStarts: which lines begin, out of the edges that came.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sluice/view.h"

namespace sluice::tpx3 {

class LineStarts {
  public:
    struct Next {
        bool early = false;   ///< too soon after the last one to begin a line
        index lost = 0;       ///< starts in between that did not come, `step` apart
        double step = 0;      ///< how long the line before was, as far as it has points
        bool longer = false;  ///< the line before lasted longer than that: there was a pause
        bool jumped = false;  ///< the counter says that others are missing, and the time does not
    };
    /// Counters have 12 bits. Where they and the times differ, fewer starts are missing.
    Next next(std::int64_t time, int counter);
    /// The other edge of the signal, which some readouts count as well.
    void other_edge(int counter) { counter_ = counter; }
    /// How long a line lasts; 0: unknown.
    double usual() const { return usual_; }

  private:
    std::optional<std::int64_t> last_ = {};
    int counter_ = 0;
    bool counts_ = false;  // the counter moves
    double usual_ = 0;
    int longer_ = 0;  // lines one after the other
};

}  // namespace sluice::tpx3
