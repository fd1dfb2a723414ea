// Stamps: which file stands at a path, and whether it has changed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace sluice::net::files {

/// The file itself, whatever its name.
struct Identity {
    std::uint64_t device = 0, number = 0;
    std::int64_t born_ns = 0;  ///< numbers are used again; 0: the system does not say

    auto operator<=>(Identity const&) const = default;
};

struct Stamp {
    Identity identity = {};
    std::uint64_t size = 0;
    std::int64_t changed_ns = 0;
    bool folder = false;

    bool operator==(Stamp const&) const = default;
};
/// Empty: nothing is there.
std::optional<Stamp> stamp_of(std::string const& path);

/// Whether the end of the file has no place on the disk; false where nobody knows. Holes before it
/// may be zeros that a file system does not store.
bool ends_in_hole(std::string const& path);

}  // namespace sluice::net::files
