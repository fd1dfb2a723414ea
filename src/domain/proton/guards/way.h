// What a straight line through the phantom meets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sluice/proton.h"

namespace sluice::proton::guards {

/// Of one plane.
struct Crossing {
    double z = 0;           ///< depth of its middle, mm
    double water = 0;       ///< mm of water
    double scattering = 0;  ///< variance of the angle
    double straggling = 0;  ///< variance of what is left of the range, mm2 of water
};

/// The planes that a proton of the beam's energy crosses, `offset` mm beside the beam's middle.
std::vector<Crossing> along(Physics const& physics, Phantom const& phantom, Beam const& beam,
                            double offset);

/// The material of plane k there; beside the phantom, that of its edge.
std::uint16_t material_at(Phantom const& phantom, Beam const& beam, double offset, index k);

/// Where the last of them ends, mm.
double end_of(Phantom const& phantom, std::vector<Crossing> const& way);

/// Of x at the depth z, by Fermi and Eyges, mm. `Kick` has a depth `z` and its `scattering`.
template <class Kick>
double sigma_at(Beam const& beam, std::vector<Kick> const& way, double z) {
    // The lines of an oblique beam part faster with depth than along it.
    double const lever = 1 / (std::cos(beam.angle) * std::cos(beam.angle)), reach = z * lever;
    double variance = beam.sigma_x * beam.sigma_x + 2 * beam.covariance * reach +
                      beam.divergence * beam.divergence * reach * reach;
    for (Kick const& k : way)
        if (k.z < z) variance += k.scattering * std::pow((z - k.z) * lever, 2);
    return std::sqrt(std::max(variance, 0.0));
}

}  // namespace sluice::proton::guards
