// Limits of the control groups that this process is in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// One group on the way from this process's own to the outermost that can be seen.
struct GroupMemory {
    std::uint64_t limit = 0;  ///< bytes
    std::uint64_t used = 0;   ///< bytes, without the page cache, which is given back on demand
};

/// The groups that limit memory. A missing file, or one without a number, limits nothing. `root` is
/// put before /proc and before the places where groups are mounted.
std::vector<GroupMemory> limiting_groups(std::string const& root = {});

/// Processors' worth of time that the groups of this process may take: the smallest quota over its
/// period. Empty where no group limits it. A set of processors (cpuset) is no quota.
std::optional<double> processor_quota(std::string const& root = {});

/// Seconds that the groups of this process were held back since they began, because their quota was
/// used up; empty where nobody counts them.
std::optional<double> held_back_s(std::string const& root = {});

}  // namespace sluice
