// The words of strain's enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/strain.h"

namespace sluice::stem4d {

constexpr auto words(StrainConvention /*of_this_type*/) {
    return std::to_array<config::Word<StrainConvention>>({{"sluice", StrainConvention::sluice},
                                                          {"py4dstem", StrainConvention::py4dstem},
                                                          {"pyxem", StrainConvention::pyxem}});
}

}  // namespace sluice::stem4d
