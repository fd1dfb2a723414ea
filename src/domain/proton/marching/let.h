// Linear energy transfer of what flies through a plane.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/proton/marching/secondaries.h"
#include "domain/proton/marching/state.h"

namespace sluice::proton::marching {

/// The integral of S over energy, by energy: S changes over decades, and so do the points.
class EnergyLet {
  public:
    EnergyLet(Physics const& physics, double most);
    double operator()(double energy) const;

  private:
    std::vector<double> energies_, stopping_, sums_;
};

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
    Physics const& physics_;
    Phantom const& phantom_;
    RangeRows const& rows_;
    EnergyLet const let_;
    bool keep_;
    std::vector<std::size_t> slots_;                  ///< of materials: their tables
    std::vector<double> lengths_;                     ///< [slot], mm of water
    std::vector<std::vector<Pass>> passes_;           ///< [slot][row]; empty: not yet known
    double carried_ = 0;                              ///< of the rows that they are known for
    Window x_;                                        ///< of the sums
    std::vector<double> path_, energy_, energy_let_;  ///< [x]

    std::vector<Pass> const& passes_in(std::size_t slot);
    void add_row(Real const* weights, index row, index plane);
};

}  // namespace sluice::proton::marching
