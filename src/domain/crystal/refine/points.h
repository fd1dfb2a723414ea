// Points of a lattice that lie in or near a frame.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sluice/lattice.h"

namespace sluice::crystal {

struct LatticePoint {
    double h, k, row, col;
};

/// Those whose place is within `reach` pixels of a frame of rows x cols, in the order of h and then
/// of k, the `most` nearest to the origin at most. `known`: none but these; empty: all.
std::vector<LatticePoint> points_near(stem4d::LatticeBasis const& lattice,
                                      std::span<std::array<int, 2> const> known,
                                      std::array<double, 2> shape, double reach, std::size_t most);

}  // namespace sluice::crystal
