// The shift between two images that nearly coincide, to a small part of a point.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/common_waves.h"

namespace sluice::stem4d {

struct FineShift {
    Point by, error;          ///< along an axis of one point: 0
    double significance = 0;  ///< as CommonWaves::odds() has it
    double waves = 0;
    /// How far the curvature of what is common, where it is least, is above that of noise.
    double sharpness = 0;
    bool inside = true;  ///< else there is no maximum within the reach
};

/// The maximum of CommonWaves within `reach` points of no shift. Fails when memory is short.
Result<FineShift> fine_shift(ImagePair const& pair, double reach);

}  // namespace sluice::stem4d
