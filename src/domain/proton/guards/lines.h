// Lines across a beam that are marched without angles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "sluice/proton.h"

namespace sluice::proton::guards {

/// What a line leaves by depth in mm of water, and where it is.
struct Line {
    std::vector<double> water, dose;  ///< water in mm at the middles, MeV/mm of water
    std::vector<double> energy;       ///< of each plane of the grid, MeV
    std::vector<double> let;          ///< of its primary protons, averaged by dose, keV/um
};

/// They lie over two sigma to each side, as wide as where the beam ends. Its parts must live as
/// long; the options' progress decides whether to go on.
class Lines {
  public:
    Lines(Physics const& physics, Phantom const& phantom, Beam const& beam,
          MarchOptions const& options);

    /// `finer` planes for one of the grid's, and rows of a part of its own.
    Result<std::vector<Line>> march_in(index finer, double range_part) const;

  private:
    Physics const& physics_;
    Phantom const& phantom_;
    Beam const& beam_;
    MarchOptions const& options_;
    double path_ = 0, reach_ = 0;
    std::vector<std::array<std::uint16_t, 2>> edges_;  ///< [plane]: thinnest and densest

    void edges();
    std::vector<std::uint16_t> lay(index finer) const;
    Line line_of(Phantom const& p, MarchResult const& r, index x, index finer) const;
};

}  // namespace sluice::proton::guards
