// The names of the Laue classes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/orientation.h"

namespace sluice::stem4d {

std::string_view name_of(LaueClass laue) {
    constexpr std::string_view names[laue_classes] = {"-1",  "2/m", "mmm",   "4/m", "4/mmm", "-3",
                                                      "-3m", "6/m", "6/mmm", "m-3", "m-3m"};
    auto const i = static_cast<std::size_t>(laue);
    return i < laue_classes ? names[i] : "?";
}

}  // namespace sluice::stem4d
