// The coefficients of generalised projections.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {

/// Of a stage that projects; `largest_power` is that of the brightest pattern.
Projection projection_of(stem4d::PtychographyStage const& stage, double largest_power,
                         index window);

}  // namespace sluice::ptycho
