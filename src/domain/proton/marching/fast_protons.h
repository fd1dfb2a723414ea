// Fast protons of nuclear reactions on their ways.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "sluice/proton.h"

namespace sluice::proton::marching {

/// Rays of many directions share the energy of reactions, and leave it behind. In total it falls
/// off exponentially, but those that fly far aside are slow and end early: near a reaction they
/// come from everywhere before it, far behind it from straight ahead (docs/design/006). So each
/// direction has three exponentials, which say how its part changes on the way.
class FastProtons {
  public:
    /// Around a direction, at `angle` to z; `length` of the exponential, in the unit of paths.
    FastProtons(Phantom const& phantom, double angle, double length);
    /// To the columns that they are in at a plane; what leaves at the sides is booked.
    void drift(index plane, Ledger& ledger);
    /// Takes the energies that reactions give them [column], and leaves what paths through the
    /// plane [column] take.
    void leave(std::vector<double> const& energy, std::vector<double> const& path);
    std::vector<double> const& left() const { return left_; }  ///< [column], in the last plane
    double waiting() const;                                    ///< MeV that still fly

  private:
    static constexpr std::size_t terms = 3;
    struct Ray {
        double slope = 0;
        std::array<double, terms> part{};               ///< of their energy; some are below zero
        index gone = 0;                                 ///< columns that they have drifted
        std::array<std::vector<double>, terms> flying;  ///< [column]: MeV
    };
    Phantom const& phantom_;
    std::array<double, terms> length_;
    std::vector<Ray> rays_;
    std::array<std::vector<double>, terms> of_flying_, of_made_;  ///< [column]
    std::vector<double> left_;
    void give(std::vector<double> const& path);
};

}  // namespace sluice::proton::marching
