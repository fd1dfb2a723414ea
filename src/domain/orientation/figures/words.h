// The words of projections.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/orientation_figures.h"

namespace sluice::stem4d {

constexpr auto words(PoleProjection /*of_this_type*/) {
    return std::to_array<config::Word<PoleProjection>>(
        {{"equal-area", PoleProjection::equal_area},
         {"stereographic", PoleProjection::stereographic}});
}

}  // namespace sluice::stem4d
