// Lines across a beam that are marched without angles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sluice/proton.h"

namespace sluice::proton::guards {

/// What a line leaves by depth in mm of water, and where it is.
struct Line {
    std::vector<double> water, dose;  ///< water in mm at the middles, MeV/mm of water
    std::vector<double> energy;       ///< of each plane of the grid, MeV
    /// Of its primary protons: what they leave, MeV, and LET, averaged by dose, keV/um.
    std::vector<double> primary, let;
};

/// They lie over two sigma to each side, as wide as where the beam ends. Layers are beams that
/// differ in their energies only, and leave what they leave together. Its parts must live as long;
/// the options' progress decides whether to go on.
class Lines {
  public:
    Lines(Physics const& physics, Phantom const& phantom, std::span<Beam const> layers,
          MarchOptions const& options);

    Beam const& farthest() const { return beam_; }

    /// `finer` planes for one of the grid's, and rows of a part of its own.
    Result<std::vector<Line>> march_in(index finer, double range_part) const;

  private:
    Physics const& physics_;
    Phantom const& phantom_;
    std::span<Beam const> layers_;
    Beam const& beam_;  ///< of them the one that flies farthest
    MarchOptions const& options_;
    double path_ = 0, reach_ = 0;
    std::vector<std::array<std::uint16_t, 2>> edges_;  ///< [plane]: thinnest and densest

    void edges();
    std::vector<std::uint16_t> lay(index finer) const;
    Line empty_line(Phantom const& p, index x) const;
    void add(Line& line, Phantom const& p, MarchResult const& r, double weight, index x,
             index finer) const;
};

}  // namespace sluice::proton::guards
