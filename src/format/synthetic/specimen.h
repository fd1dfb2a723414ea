// The specimen under a synthetic scan: atomic columns in two grains, of slowly changing thickness.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/synthetic/options.h"

namespace sluice::synthetic {

/// What one scan point does to the beam.
struct Specimen {
    double thickness = 1;   ///< factor on the dose
    double high_angle = 0;  ///< share of the disks' electrons that atomic columns scatter far out
    double shift_y = 0, shift_x = 0;  ///< of the whole pattern, descan and columns together, pixels
    int grain = 0;                    ///< 0 or 1; the second is turned by `grain_angle`
};

constexpr double grain_angle = 0.3;  // radians

Specimen specimen_at(SyntheticOptions const& options, index row, index column);

}  // namespace sluice::synthetic
