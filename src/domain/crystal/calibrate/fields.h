// The tables of what calibration is told.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/crystal_calibration.h"

namespace sluice::stem4d {

/// Without the guess, which is a place.
config::Fields<OriginOptions> origin_fields();
config::Fields<OriginFitOptions> origin_fit_fields();
/// What is no option of its parts, without arrays and the crystal.
config::Fields<CalibrateOptions> calibrate_fields();
/// Without the zone, which is three numbers.
config::Fields<SizeOptions> size_fields();

}  // namespace sluice::stem4d
