// The layers of a beam as they enter its grid: spots of one energy and one Gaussian.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/proton/cube/depth_kernel.h"
#include "domain/proton/cube/moments.h"
#include "sluice/proton_dose.h"

namespace sluice::proton::cube {

inline constexpr double air_water = 0.00107;  ///< mm of water in a mm of air
inline constexpr double pmma_water = 1.16;    ///< and of PMMA, which shifters are taken to be of

/// What comes to the first range shifter.
struct BeforeShifters {
    std::vector<RangeShifter> shifters = {};  ///< upstream ones first
    std::array<Moments, 2> moments{};         ///< where the first one begins
    double top = 0;                           ///< that place, mm from the isocentre
    double water = 0;                         ///< mm that the protons have met before it
    double gap = 0;                           ///< mm from the last one to where spots meet tissue
};

/// One Gaussian of the spots of one layer.
struct Sheet {
    double energy = 0, spread = 0;  ///< mean and standard deviation, MeV
    BaseEnergy own = {};            ///< the machine's depth doses; without depths: they are marched
    std::shared_ptr<DepthKernel const> kernel = {};
    std::array<Moments, 2> moments{};  ///< where the grid begins, without the patient
    double water = 0;                  ///< mm of water that the protons have met before
    double scattered = 0;              ///< of it in range shifters
    BeforeShifters before = {};        ///< for those who compute what happens in them
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
