// Where the energy of nuclear reactions goes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

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
    /// Those of one direction.
    struct Ray {
        double slope = 0, part = 0;
        index gone = 0;              ///< columns that they have drifted
        std::vector<double> flying;  ///< [column]: MeV
    };
    /// Parts that a plane gets.
    struct Given {
        double of_flying, of_made;
    };
    std::vector<Ray> fast_;
    Ray slow_;
    std::vector<double> left_, left_let_;
    void drift(Ray& ray, index plane, Ledger& ledger) const;
    static Given given(double path);
    static double leave(Ray& ray, std::size_t column, double energy, Given const& part);
};

}  // namespace sluice::proton::marching
