// The layers of a beam as they enter its grid: spots of one energy and one Gaussian.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/proton/cube/depth_kernel.h"
#include "sluice/proton_dose.h"

namespace sluice::proton::cube {

/// Variances along an axis as a function of depth: of place (mm2), of place and angle (mm), of the
/// angle.
struct Moments {
    double place = 0, both = 0, angle = 0;

    /// Variance of the place so much farther on.
    double at(double way) const { return place + 2 * both * way + angle * way * way; }
    /// Flies so far.
    void fly(double way) {
        place = at(way);
        both += angle * way;
    }
};

/// One Gaussian of the spots of one layer.
struct Sheet {
    index layer = 0;
    std::shared_ptr<DepthKernel const> kernel;
    std::array<Moments, 2> moments{};  ///< where the grid begins, without the patient
    double water = 0;                  ///< mm of water that the protons have met before
    double scattered = 0;              ///< of it in range shifters
    std::vector<PlanSpot> spots = {};  ///< meterset: protons
};

/// What protons meet between the plane of the spots and the grid.
struct WayIn {
    double from = 0;   ///< the plane of the spots, mm from the isocentre against the beam
    double to = 0;     ///< where the grid begins
    bool air = false;  ///< there is air, which the moments do not know of
    /// mm of it that the depth kernel has in it already; none: all of it, or none is of a file.
    std::optional<double> kernel_air = {};
};

/// What flying so far through air and range shifters makes of a layer's Gaussian.
/// Fails where nothing is left, or a shifter lies behind the grid's begin.
Status enter(Physics const& physics, double energy, std::vector<RangeShifter> const& shifters,
             WayIn const& way, Sheet& sheet);

}  // namespace sluice::proton::cube
