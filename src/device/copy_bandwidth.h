// How fast this machine copies and reads memory: the yardstick of what touches memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sluice/device.h"
#include "sluice/view.h"

namespace sluice {

/// How it is measured.
struct CopyRounds {
    index bytes = 0;  ///< of one array; 0: more than the caches hold
    int rounds = 7;
    std::function<double()> clock = {};  ///< seconds; empty: a steady clock
};

/// Bytes per second, the median of some rounds after one that is not timed, when the device's
/// threads copy one large array to another; what is read and what is written both count. Empty for
/// a device with memory of its own, where it was never measured. Takes two arrays of 256
/// to 512 MB, and some tenths of a second.
std::optional<double> copy_bandwidth(Device const& device, CopyRounds const& how = {});

/// The same, round by round, and of reading one large array, each of whose bytes counts once.
std::vector<double> copy_rates(Device const& device, CopyRounds const& how = {});
std::vector<double> read_rates(Device const& device, CopyRounds const& how = {});

}  // namespace sluice
