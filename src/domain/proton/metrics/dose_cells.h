// Gamma at a point: how far it is from a dose that is linear in the tetrahedra of cells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "domain/proton/metrics/simplex.h"
#include "sluice/view.h"

namespace sluice::proton {

/// A dose at the corners of cells. Lengths are in units of the distance that gamma allows.
class DoseCells {
  public:
    /// Corners along x, y and z (2 at least), how far apart they are, and where the first one lies.
    struct Grid {
        std::array<index, 3> sides;
        Vector<3> step, first;

        /// Whether a place is farther out than half a step from the outermost corners.
        bool misses(Vector<3> const& place) const;
    };
    /// `values`: [z][y][x], kept by the caller. Gammas above `most` are told as `most`.
    DoseCells(Grid const& grid, float const* values, double most);

    /// `unit`: the dose that counts as 1.
    double gamma(Vector<3> const& place, double dose, double unit) const;

  private:
    struct Offset {
        std::array<int, 3> cells;
        double least;  // squared distance to any point of the cell that a place lies in
    };
    Grid grid_;
    float const* values_;
    double most_;
    std::vector<Offset> around_;  // the nearest first
};

}  // namespace sluice::proton
