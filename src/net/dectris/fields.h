// The table of what simulators of DECTRIS' streams are asked for with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/field.h"
#include "net/dectris/simulator.h"
#include "net/words.h"

namespace sluice::net::dectris {

constexpr auto words(Packing /*of_this_type*/) {
    return std::to_array<config::Word<Packing>>(
        {{"bslz4", Packing::bslz4}, {"lz4", Packing::lz4}, {"none", Packing::none}});
}

config::Fields<SimulatorOptions> simulator_fields();

}  // namespace sluice::net::dectris
