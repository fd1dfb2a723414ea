// From one face to the next: drift, nuclear loss, straggling and slowing down.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "domain/proton/marching/columns.h"
#include "domain/proton/marching/state.h"

namespace sluice::proton::marching {

/// Carries a state over one plane after the other.
template <class Real>
class Flight {
  public:
    Flight(Physics const& physics, State<Real>& state, PlaneColumns<Real>& columns,
           Phantom const& phantom, MarchOptions const& options);

    /// Adds to the plane's deposit and to the ledger. `out_of_plane` is the variance of that angle.
    Status over(index plane, double out_of_plane, MarchResult& result);

  private:
    Physics const& physics_;
    State<Real>& state_;
    PlaneColumns<Real>& columns_;
    Phantom const& phantom_;
    MarchOptions const& options_;
    std::vector<Real> bend_;
    double longer_ = 1;                        ///< paths are, by the angle out of the plane
    double least_shift_ = 0, most_shift_ = 0;  ///< rows that columns of the box take
    RangeRows after_;                          ///< the rows behind the plane

    double path_factor(index angle) const;
    double shift_of(index angle) const;
    std::pair<double, double> paths() const;
    double carry_for_plane(double shortest) const;
    Cut cut_for_plane();
    Cut cut_for_angle(Cut cut, index angle) const;
    void energies_after(index dropped, Crossing<Real>& how) const;
    Status fly(index plane, MarchResult& result);
    void count(index plane, Flown const& flown, MarchResult& result);
};

}  // namespace sluice::proton::marching
