// [[medium]]: boxes of material.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/config/boxes.h"
#include "domain/proton/config/keys.h"
#include "sluice/proton_config.h"

namespace sluice::proton {

/// Reads one, with its material among the phantom's. How far its sides move to lie between columns,
/// and whether it begins or ends within a plane, is among the guards.
Result<Box> read_medium(Table medium, Config& c);

}  // namespace sluice::proton
