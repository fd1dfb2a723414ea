// Damage to the bytes of a file, from a number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::damage {

struct Damaged {
    std::string bytes;
    std::string_view how;  ///< what was done
    /// Where bytes are others; empty: everything behind a place has moved.
    std::vector<std::uint64_t> changed = {};
};

/// Depends on nothing but the bytes and the number.
Damaged damage(std::string const& whole, std::uint64_t number);

}  // namespace sluice::damage
