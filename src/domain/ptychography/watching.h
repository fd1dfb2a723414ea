// Watching: when a watcher looks at a reconstruction, and what it sees.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "domain/ptychography/state.h"

namespace sluice::ptycho {

/// Does nothing where the options name no watcher.
template <class Real>
class Watching {
  public:
    /// `state`, `rounds`, `notes` and `started` are looked at as they are then; `fetch` brings the
    /// state up to date before the watcher looks at it.
    Watching(stem4d::PtychographyOptions const& options, State<Real> const& state,
             std::vector<stem4d::PtychographyRound> const& rounds,
             std::vector<std::string> const& notes, std::vector<stem4d::Position> const& started,
             std::function<double()> floor, std::function<void()> fetch);

    /// The progress of `options` that also looks now and then.
    Progress progress();
    /// An iteration is done.
    void iteration(std::uint64_t done, std::uint64_t all);

  private:
    void look(bool within, std::uint64_t done, std::uint64_t all);

    stem4d::PtychographyOptions const& options_;
    State<Real> const& state_;
    std::vector<stem4d::PtychographyRound> const& rounds_;
    std::vector<std::string> const& notes_;
    std::vector<stem4d::Position> const& started_;
    std::function<double()> floor_;
    std::function<void()> fetch_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

extern template class Watching<float>;
extern template class Watching<double>;

}  // namespace sluice::ptycho
