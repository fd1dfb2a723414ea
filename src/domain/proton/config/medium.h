// [[medium]]: boxes of material.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/config/keys.h"
#include "domain/proton/config/media_water.h"

namespace sluice::proton {

/// Lays one over the phantom. Its edges come to lie between cells; by how much they move for this
/// is among the guards.
Result<Box> read_medium(Table medium, Config& c);

}  // namespace sluice::proton
