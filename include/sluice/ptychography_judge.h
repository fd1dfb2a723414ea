// What looks wrong with a reconstruction, and what to do about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::stem4d {

/// Looks for: scan grid, checkerboard, ringing, streaks, phase wraps, low contrast, misfit, probe
/// drift, probe edge (of far fields), probe power. Of a thick object the phases of the slices are
/// added up. What the scan is too small for (16 pixels a side, 48 where a spectrum is looked at) is
/// left out. Costs some transforms of the object. Fails where the arrays of the result do not fit
/// to each other.
Result<std::vector<Finding>> judge(PtychographyResult const& result);

}  // namespace sluice::stem4d
