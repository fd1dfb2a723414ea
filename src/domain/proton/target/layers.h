// Layers of a machine by their range in water.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/run.h"
#include "domain/proton/cube/depth_kernel.h"
#include "sluice/proton_target.h"

namespace sluice::proton::target {

struct Layer {
    double nominal = 0;                          ///< MeV
    double range = 0;                            ///< mm of water behind the top of the image
    double before = 0;                           ///< mm of water that protons have met there
    std::vector<cube::DepthKernel> kernel = {};  ///< one
};

/// Energies whose ranges reach from `shallowest` to `deepest`, mm of water from the top of the
/// image on, about `spacing` apart; the deepest first. `top`: of the image, mm before the
/// isocentre. What the machine's lowest energy goes too deep for has no layer; fails where its
/// highest does not reach. `run` counts a step for each kernel.
Result<std::vector<Layer>> layers_for(Machine const& machine, WaterTable water, double top,
                                      double shallowest, double deepest,
                                      TargetOptions const& options, Run& run);

}  // namespace sluice::proton::target
