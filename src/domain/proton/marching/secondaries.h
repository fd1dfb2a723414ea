// Where the energy of nuclear reactions goes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/proton/marching/fast_protons.h"
#include "domain/proton/marching/halo.h"

namespace sluice::proton::marching {

/// Of the energy that non-elastic reactions take, a part stays where they are (heavy fragments), a
/// part goes on as secondary protons, fast and slow ones, that are deposited behind, falling off
/// exponentially with a length that is a part of the beam's range then, and the rest are neutrons
/// and photons, which leave (docs/design/006). Protons of elastic collisions and of those with
/// hydrogen are the halo's.
class Secondaries {
  public:
    /// They fly around the beam's direction, at `angle` to z. The energy of collisions has that of
    /// elastic ones with nuclei, or not.
    Secondaries(Phantom const& phantom, double angle, bool elastic = true);
    /// Takes a plane's energy of collisions [column], and leaves there what earlier ones give.
    /// `beam` is the beam's mean energy there [column].
    void step(index plane, std::vector<double> const& energy, Physics const& physics,
              std::vector<double> const& beam, Halo& halo, MarchResult& result);
    /// [column]: what secondary protons left in the last step, MeV, and that times their LET in
    /// water of unit density, MeV keV/um.
    std::vector<double> const& left() const { return left_; }
    std::vector<double> const& left_let() const { return left_let_; }
    /// MeV that are still on their way.
    double waiting() const;

  private:
    Phantom const& phantom_;
    bool elastic_;
    double along_;  ///< depth by way of the beam
    FastProtons fast_;
    /// Those that end before their angles matter fly along the beam.
    struct Slow {
        double slope = 0;
        index gone = 0;              ///< columns that they have drifted
        std::vector<double> flying;  ///< [column]: MeV
    };
    Slow slow_;
    std::vector<double> left_, left_let_, nuclei_, of_fast_, of_slow_, path_,
        stopping_;  ///< [column]
    void drift_slow(index plane, Ledger& ledger);
    void collide(index plane, std::vector<double> const& energy, Physics const& physics,
                 std::vector<double> const& beam, Halo& halo, MarchResult& result);
    double leave_slow(std::size_t column);
};

}  // namespace sluice::proton::marching
