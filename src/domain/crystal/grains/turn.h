// By how much lattices are turned.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/lattice/believe.h"
#include "sluice/grains.h"

namespace sluice::crystal {

stem4d::LatticeBasis lattice_of(stem4d::LatticeFit const& fit, std::size_t pattern);
/// In degrees, positive from row to column, vector by vector.
double turn_of(stem4d::LatticeBasis const& from, stem4d::LatticeBasis const& to);
/// Likewise, the least that symmetry allows; NaN: the lattices are not the same.
double disorientation(stem4d::LatticeBasis const& from, stem4d::LatticeBasis const& to);

}  // namespace sluice::crystal
