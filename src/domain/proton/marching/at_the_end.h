// Sums over rows of range, as integrals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include "domain/proton/marching/grid.h"

namespace sluice::proton::marching {

/// What rows at the end of range have beside a function of range, so that sums over rows are its
/// integral. A row stands for protons of just its range, and sums are integrals where the function
/// is smooth; energies and what follows from them begin with a cusp, as a root of range does, and a
/// sum is off by up to 1 % of a peak, by where the rows happen to lie. With this, sums over weights
/// that are a parabola there are integrals, as Gregory's formulas have it for smooth ends. The
/// weights of a beam whose ranges are hardly spread are no parabola, and have nothing beside.
class AtTheEnd {
  public:
    AtTheEnd() = default;
    /// All of it where ranges are spread by so many rows, nothing where they are by 0.6 of that.
    AtTheEnd(RangeRows const& rows, double wide, std::function<double(double)> const& of_range);

    /// Between rows a straight line: sums are integrals where protons move by whole rows.
    double at(double range) const;
    double row(std::size_t i) const { return i - first_ < 4 ? beside_[i - first_] : 0; }

  private:
    std::size_t first_ = 0;  ///< the first row that has something
    double range_ = 0, step_ = 1;
    std::array<double, 4> beside_{};
};

/// Of a row: so far may the lowest one lie behind the end of range.
inline constexpr double past_the_end = 0.4;

}  // namespace sluice::proton::marching
