// The table of what simulated detectors are asked for with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/simulator.h"
#include "net/words.h"

namespace sluice::net {

config::Fields<SimulatorOptions> simulator_fields();

}  // namespace sluice::net
