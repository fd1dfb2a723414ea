// Names of the ways to fit disks.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/disks.h"

namespace sluice::stem4d {

std::string_view name_of(DiskMode mode) {
    switch (mode) {
        case DiskMode::automatic:
            return "automatic";
        case DiskMode::isolated:
            return "isolated";
        case DiskMode::touching:
            return "touching";
        case DiskMode::overlapping:
            return "overlapping";
        case DiskMode::fringes:
            return "fringes";
    }
    return "";
}

}  // namespace sluice::stem4d
