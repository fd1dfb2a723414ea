// The two shortest vectors of a lattice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {

/// Vectors whose lengths differ by less than this part count as equally long.
inline constexpr double equally_long = 0.02;

/// Lagrange's reduction: |a| <= |b|, and no vector of the lattice that is not along a is shorter
/// than b. The origin stays. Of two vectors that are not collinear.
stem4d::LatticeBasis reduced(stem4d::LatticeBasis basis);

/// The reduced basis that people agree on: right-handed (a.row b.col > a.col b.row). Of vectors
/// that are equally long, a is the one nearest to the row axis, and b makes the smaller angle.
/// `choices`: how many vectors, without their opposites, are as short as a or b.
stem4d::LatticeBasis canonical(stem4d::LatticeBasis const& basis, int* choices = nullptr);

}  // namespace sluice::crystal
