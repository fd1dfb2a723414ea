// Linear energy transfer of what flies through a plane.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/proton/marching/secondaries.h"
#include "domain/proton/marching/state.h"

namespace sluice::proton::marching {

/// Averages LET over planes rather than at their faces: a proton that stops in a plane passes all
/// of the Bragg peak there, which no face sees.
template <class Real>
class Let {
  public:
    Let(Physics const& physics, Phantom const& phantom, RangeRows const& rows, bool keep);

    /// Of what enters a plane; the sums of rows must be those of the state.
    void primaries(index plane, State<Real> const& state);
    /// Of the same plane, with what secondary protons left there.
    void finish(index plane, Secondaries const& secondaries, Halo const& halo, PlaneSums& sums,
                MarchResult& result) const;

  private:
    // Of one proton over one plane.
    struct Pass {
        double path, energy, energy_let;  ///< mm, MeV, MeV keV/um
    };
    Phantom const& phantom_;
    bool keep_;
    std::vector<std::size_t> slots_;                  ///< of materials: their tables
    std::vector<Pass> passes_;                        ///< [slot][row]
    Window x_;                                        ///< of the sums
    std::vector<double> path_, energy_, energy_let_;  ///< [x]

    void add_row(Real const* weights, index row, index rows, index plane);
};

}  // namespace sluice::proton::marching
