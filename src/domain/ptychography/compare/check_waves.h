// Whether an object and a probe fill their shapes and fit to each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Fails where the object is not [slice][row][col] or the probe not [mode][row][col] of squares,
/// where values do not fill them, or where a window is larger than the object. check_result() looks
/// at the other parts of a result.
Status check_waves(stem4d::PtychographyResult const& result);

}  // namespace sluice::ptycho
