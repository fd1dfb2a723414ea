// Fermi's and Eyges's moments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::proton::cube {

/// Variances along an axis as protons fly: of place (mm2), of place and angle (mm), of the angle
/// (Eyges 1948, https://doi.org/10.1103/PhysRev.74.1534).
struct Moments {
    double place = 0, both = 0, angle = 0;

    /// Variance of the place so much farther on, without scattering.
    double at(double way) const { return place + 2 * both * way + angle * way * way; }
    /// After so much of it, where the variance of the angle grows by `scattering` a mm.
    Moments after(double way, double scattering) const {
        double const t = scattering * way;
        return {at(way) + t * way * way / 3, both + angle * way + t * way / 2, angle + t};
    }
};

}  // namespace sluice::proton::cube
