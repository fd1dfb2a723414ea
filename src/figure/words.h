// The words of colour maps and scales.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "figure/colormap.h"
#include "figure/contrast.h"

namespace sluice::figure {

/// inferno, magma and viridis stand for their relatives here.
constexpr auto words(Map /*of_this_type*/) {
    return std::to_array<config::Word<Map>>({{"gray", Map::gray},
                                             {"ember", Map::ember},
                                             {"dusk", Map::dusk},
                                             {"meadow", Map::meadow},
                                             {"balance", Map::balance},
                                             {"phase", Map::phase},
                                             {"inferno", Map::ember},
                                             {"magma", Map::dusk},
                                             {"viridis", Map::meadow}});
}
constexpr auto words(Scale /*of_this_type*/) {
    return std::to_array<config::Word<Scale>>(
        {{"linear", Scale::linear}, {"log", Scale::log}, {"power", Scale::power}});
}

}  // namespace sluice::figure
