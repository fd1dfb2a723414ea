// What protons should leave in each cell, beside what the march says they left.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/proton/marching/state.h"

namespace sluice::proton::marching {

/// Stopping power times the way of what enters a plane, column by column. It shares the tables of
/// stopping power and the sums at faces with the march, and none of its operators: neither drift
/// nor slowing down, nor where a step books what it leaves.
template <class Real>
class Expected {
  public:
    Expected(Physics const& physics, Phantom const& phantom, RangeRows const& rows, double angle);

    /// Of what enters a plane; the sums of rows must be those of the state.
    void enter(index plane, State<Real> const& state, PlaneSums const& sums);
    /// What slowing down has left in the plane since, against it.
    void compare(index plane, std::vector<double> const& before, MarchResult& result) const;

  private:
    Physics const& physics_;
    Phantom const& phantom_;
    RangeRows const& rows_;
    double path_;                            ///< of the beam, by depth
    std::vector<std::vector<double>> loss_;  ///< [material][row], MeV; empty: not yet known
    double carried_ = 0;                     ///< of the rows that they are known for
    Window x_;                               ///< of the sums
    std::vector<double> energy_;             ///< [x], MeV

    std::vector<double> const& loss_in(std::size_t material);
};

}  // namespace sluice::proton::marching
