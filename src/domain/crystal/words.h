// The words of the enumerations of disks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/disks.h"

namespace sluice::stem4d {

constexpr auto words(DiskMode /*of_this_type*/) {
    return std::to_array<config::Word<DiskMode>>({{"automatic", DiskMode::automatic},
                                                  {"isolated", DiskMode::isolated},
                                                  {"touching", DiskMode::touching},
                                                  {"overlapping", DiskMode::overlapping},
                                                  {"fringes", DiskMode::fringes}});
}

}  // namespace sluice::stem4d
