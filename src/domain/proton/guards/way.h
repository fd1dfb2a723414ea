// What a straight line through the phantom meets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/proton.h"

namespace sluice::proton::guards {

/// Of one plane.
struct Crossing {
    double water = 0;       ///< mm of water
    double scattering = 0;  ///< variance of the angle
};

/// The planes that a proton of the beam's energy crosses, `offset` mm beside the beam's middle.
std::vector<Crossing> along(Physics const& physics, Phantom const& phantom, Beam const& beam,
                            double offset);

/// The material of plane k there; beside the phantom, that of its edge.
std::uint16_t material_at(Phantom const& phantom, Beam const& beam, double offset, index k);

/// Of x where the beam has a part of its range left, by Fermi and Eyges, mm.
double widest_sigma(Phantom const& phantom, Beam const& beam, std::vector<Crossing> const& way);

}  // namespace sluice::proton::guards
