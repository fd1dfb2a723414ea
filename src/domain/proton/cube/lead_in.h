// What a march flies through before the grid of a beam: range shifters, and the air behind them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/proton/cube/fan.h"
#include "domain/proton/cube/spot_sheets.h"

namespace sluice::proton::cube {

/// Planes before the first one of the grid, upstream ones first. None where no shifter is.
struct LeadIn {
    /// A plane's material, and the water that stops as much as a mm of it.
    struct Plane {
        Material material;
        double stopping = 0;
    };
    std::vector<Plane> planes = {};
    double way = 0;  ///< mm from the first shifter's upstream side to the grid
    Sheet sheet;     ///< the sheet as it would come to the grid if nothing scattered it on that way
    double energy = 0;  ///< mean, where the first plane begins, or the grid
};

LeadIn lead_in(Physics const& physics, Sheet const& sheet, Fan const& fan);

}  // namespace sluice::proton::cube
