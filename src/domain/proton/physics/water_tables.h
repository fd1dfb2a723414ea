// Mass stopping powers of liquid water for protons.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/proton/physics/log_spline.h"
#include "sluice/proton.h"

namespace sluice::proton {

/// What electrons and nuclei take: MeV and MeV cm2/g, ascending.
std::vector<Point> water_table(WaterTable table);

/// What nuclei take of a proton of `energy` (MeV) without the nuclear force, MeV cm2/g: 0.04 % of
/// the whole at 100 MeV.
double nuclear_stopping(double energy);

}  // namespace sluice::proton
