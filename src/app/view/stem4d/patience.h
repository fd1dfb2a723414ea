// Patience: when a dataset that could not be opened is tried again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace sluice::app {

/// A set is tried when its files stand still after a change. Where nothing changes that can be
/// seen (a network's file system tells late, a link leads elsewhere), it is tried ever more seldom.
class Patience {
  public:
    using Clock = std::chrono::steady_clock;

    explicit Patience(Clock::duration look_every = std::chrono::seconds(2))
        : shortest_(look_every), pause_(look_every) {}

    /// An attempt begins, at files that look like this.
    void tried(std::string const& signature, Clock::time_point now) {
        seen_ = tried_ = signature;
        next_ = now + pause_;
        pause_ = std::min(2 * pause_, longest * shortest_);
    }

    /// Files are looked at: whether to try again. `unseen`: also without a change.
    bool due(std::string const& signature, Clock::time_point now, bool unseen) {
        bool const still = signature == seen_;
        if (!still) changed_ = now;
        seen_ = signature;
        if (still && signature != tried_) {
            pause_ = shortest_;
            return true;
        }
        return unseen && now >= next_;
    }

    /// Whether the files changed lately: somebody writes them.
    bool lively(Clock::time_point now) const {
        return changed_ && now - *changed_ < longest * shortest_;
    }
    /// Something else happened that it may have waited for.
    void hope(Clock::time_point now) {
        pause_ = shortest_;
        next_ = std::min(next_, now + shortest_);
    }
    /// It was not there when the viewer began.
    void appeared(Clock::time_point now) { changed_ = now; }

  private:
    static constexpr int longest = 32;  // looks: about a minute
    Clock::duration shortest_, pause_;
    Clock::time_point next_ = {};
    std::optional<Clock::time_point> changed_;
    std::string seen_, tried_;
};

}  // namespace sluice::app
