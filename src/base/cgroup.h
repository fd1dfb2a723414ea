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

}  // namespace sluice
