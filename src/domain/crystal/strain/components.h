// Components: the four numbers that a change of a lattice is told by, and their derivatives.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "domain/crystal/lattice/matrix2.h"
#include "sluice/strain.h"

namespace sluice::crystal {

/// e_xx, e_yy, e_xy and omega (radian).
using Four = std::array<double, 4>;

struct Components {
    Four values{};
    std::array<Four, 4> by{};  ///< [number] by rr, rc, cr and cc of beta
};

/// Of beta, which makes the vectors of the lattice from those of the reference, on axes x and y in
/// the place of row and column. Its determinant is above 0.
Components components_of(Matrix2 const& beta, stem4d::StrainConvention convention);

}  // namespace sluice::crystal
