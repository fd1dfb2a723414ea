// The shift between two images that nearly coincide, to a small part of a point.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

struct FineShift {
    Point by, error;          ///< along an axis of one point: 0
    double significance = 0;  ///< of what they have in common, in standard deviations of chance
    bool inside = true;       ///< else no maximum was found within the reach
};

/// Where the correlation of two images [rows][cols] without NaN has its maximum, within `reach`
/// points of no shift. It is a sum of waves, so that it is known between points: the maximum of
/// least squares, if noise is white. Edges fade. Fails when memory is short.
Result<FineShift> fine_shift(std::vector<double> reference, std::vector<double> image, index rows,
                             index cols, double reach);

}  // namespace sluice::stem4d
