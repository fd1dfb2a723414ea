// Mass stopping powers of liquid water for protons.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/proton/physics/log_spline.h"
#include "sluice/proton.h"

namespace sluice::proton {

/// MeV and MeV cm2/g, ascending.
std::span<Point const> water_table(WaterTable table);

}  // namespace sluice::proton
