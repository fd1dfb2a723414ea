// Speed: how fast work has gone lately.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

namespace sluice::app {

class Speed {
  public:
    using Clock = std::chrono::steady_clock;

    /// `done` never falls.
    void add(Clock::time_point now, std::uint64_t done) {
        samples_.push_back({now, done});
        // One older than the span stays, so that slow work has two, too.
        while (samples_.size() > 2 && now - samples_[1].time > span) samples_.pop_front();
    }
    /// A second; 0: not known yet.
    double rate() const {
        if (samples_.size() < 2) return 0;
        std::chrono::duration<double> const took = samples_.back().time - samples_.front().time;
        auto const more = static_cast<double>(samples_.back().done - samples_.front().done);
        return took.count() > 0 ? more / took.count() : 0;
    }
    void clear() { samples_.clear(); }

  private:
    static constexpr auto span = std::chrono::seconds(10);
    struct Sample {
        Clock::time_point time;
        std::uint64_t done;
    };
    std::deque<Sample> samples_;
};

}  // namespace sluice::app
