// LiveWatch: looks at a live scan: a line on the terminal, and how far analyses lag.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

#include "app/cli/shell/outputs.h"
#include "sluice/stem4d_live.h"

namespace sluice::cli {

class LiveWatch {
  public:
    /// It looks until it ends, and ends the scan where the user stops the program. The scan
    /// outlives it.
    explicit LiveWatch(stem4d::LiveScan& scan);
    ~LiveWatch();
    LiveWatch(LiveWatch const&) = delete;
    LiveWatch& operator=(LiveWatch const&) = delete;

    /// Once more, and no more: what was seen, for the report.
    Json stop();

  private:
    void look(std::stop_token const& stop);
    void note(FeedState const& now);
    void show(FeedState const& now, double time);

    stem4d::LiveScan& scan_;
    index frames_;
    double start_;
    bool terminal_, shown_ = false;
    double first_ = 0, last_ = 0;  // when the first frame was seen, and the last one that came
    FeedState before_ = {};
    double most_lag_s_ = 0, lag_sum_s_ = 0;
    index looks_ = 0, most_waiting_ = 0;
    std::uint64_t most_bytes_ = 0;
    std::jthread thread_;
};

}  // namespace sluice::cli
