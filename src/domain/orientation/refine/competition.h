// Competition: several orientations are fitted to a pattern, and the likeliest is the answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/refine/fit_orientation.h"

namespace sluice::orient {

/// One for each worker.
class Competition {
  public:
    explicit Competition(FitRules const& rules) : rules_(rules), fit_(rules) {}

    /// From each of the starts, of which there is at least one. Those that are far behind after
    /// their first rounds are not finished.
    void operator()(PatternDisks const& disks, std::span<Start const> starts);

    /// In no order.
    std::vector<Fitted> const& fitted() const { return fitted_; }
    Fitted const& best() const { return fitted_[best_]; }
    /// By the best one: disks that it explains, and what those miss theory by.
    std::vector<std::uint8_t> const& explained() const { return explained_; }
    std::vector<Miss> const& misses() const { return misses_; }

  private:
    void finish(PatternDisks const& disks, Begun const& begun);
    void try_other_sides(PatternDisks const& disks);
    void try_alike(PatternDisks const& disks);
    void try_tilted(PatternDisks const& disks);
    void try_start(PatternDisks const& disks, Start const& start);
    bool is_fitted(Start const& start) const;

    FitRules const& rules_;
    FitOrientation fit_;
    std::vector<Begun> begun_;
    std::vector<Fitted> fitted_;
    std::size_t best_ = 0;
    std::vector<std::uint8_t> explained_;
    std::vector<Miss> misses_;
    std::optional<Start> other_side_;  // of the best one's plane
};

}  // namespace sluice::orient
