// Where the energy of nuclear reactions goes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/proton.h"

namespace sluice::proton::marching {

/// Of the energy that non-elastic reactions take, a part stays where they are (recoils, heavy
/// fragments), a part goes on as secondary protons that are deposited behind, falling off
/// exponentially with a length that is a part of the beam's range then, and the rest are neutrons
/// and photons, which leave. The three numbers were fitted to Monte Carlo depth doses of water
/// (docs/design/006).
class Secondaries {
  public:
    /// They fly as the beam does, at `angle` to z.
    Secondaries(Phantom const& phantom, double angle);
    /// Takes a plane's energy of reactions [column], and leaves there what earlier ones give.
    /// `beam` is the beam's mean energy there [column]. What protons lost to hydrogen stays with
    /// the two protons.
    void step(index plane, std::vector<double> const& energy, Physics const& physics,
              std::vector<double> const& beam, std::vector<double>& deposit, Ledger& ledger);
    /// [column]: what secondary protons left in the last step, MeV, and that times their LET in
    /// water of unit density, MeV keV/um.
    std::vector<double> const& left() const { return left_; }
    std::vector<double> const& left_let() const { return left_let_; }
    /// MeV that are still on their way.
    double waiting() const;

  private:
    Phantom const& phantom_;
    double angle_;
    index gone_ = 0;                                ///< columns that they have drifted
    std::vector<double> flying_, left_, left_let_;  ///< [column]: MeV
    void drift(index plane, Ledger& ledger);
};

}  // namespace sluice::proton::marching
