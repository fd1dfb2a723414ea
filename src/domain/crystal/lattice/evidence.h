// Evidence: how well a lattice explains the differences between disks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/crystal/lattice/differences.h"

namespace sluice::crystal {

/// A cell of the map that is not empty, of one half of it.
struct Cell {
    double row, col;  ///< px
    double pairs;
};
std::vector<Cell> cells_of(Differences const& differences);

/// Of differences: which part lies on points of a lattice, and which part would by chance.
struct Share {
    double hits = 0, chance = 0;
    double pairs = 0;  ///< of how many

    /// Information in nats that a difference gives for the lattice. A lattice with more points
    /// needs more hits for as much of it.
    double information() const;
    /// Whether chance does not make so many.
    bool credible() const;
};

struct Evidence {
    Share all;
    /// Of differences that do not lie along a, and not along b.
    Share beside_a, beside_b;
};

/// `tolerance` px. Short differences, which strain and grains blur less, count more.
Evidence evidence_of(std::span<Cell const> cells, stem4d::LatticeBasis const& basis,
                     double tolerance);

/// The vectors that explain the differences within the tolerance best.
stem4d::LatticeBasis refined(std::span<Cell const> cells, stem4d::LatticeBasis basis,
                             double tolerance);

}  // namespace sluice::crystal
