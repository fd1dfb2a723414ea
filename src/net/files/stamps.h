// Stamps: which file stands at a path, and whether it has changed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace sluice::net::files {

/// The file itself, whatever its name.
using Identity = std::pair<std::uint64_t, std::uint64_t>;

struct Stamp {
    Identity identity = {};
    std::uint64_t size = 0;
    std::int64_t changed_ns = 0;
    bool folder = false;

    bool operator==(Stamp const&) const = default;
};
/// Empty: nothing is there.
std::optional<Stamp> stamp_of(std::string const& path);

/// The first byte before the end of the file that has no place on the disk; empty: there is none,
/// or nobody knows.
std::optional<std::uint64_t> first_hole(std::string const& path);

}  // namespace sluice::net::files
