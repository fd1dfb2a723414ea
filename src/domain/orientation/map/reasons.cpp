// Why patterns are not indexed, in words.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/orientation_map.h"

namespace sluice::stem4d {

std::string_view name_of(OrientationReason reason) {
    constexpr std::string_view names[orientation_reasons] = {
        "indexed",
        "the pattern has no disks",
        "too few disks",
        "no zone of the library explains the disks",
        "another orientation explains the disks as well",
        "the probability that the match is right is too low"};
    auto const i = static_cast<std::size_t>(reason);
    return i < orientation_reasons ? names[i] : "?";
}

}  // namespace sluice::stem4d
