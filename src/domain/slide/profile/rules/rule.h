// A rule of the profile: it looks at the facts, and returns a sentence where one applies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/slide/profile/rules/facts.h"

namespace sluice::slide::rule {

using Rule = std::optional<Finding> (*)(Facts const&);

// From when on a share is worth a sentence.
inline constexpr double large_share = 0.4, much_idle = 0.15;
inline constexpr index many_tiles = 8;

// gates.cpp A read that is
/// too short to show its limits.
std::optional<Finding> too_short(Facts const& f);
/// Other programs or other machines used the processors.
std::optional<Finding> starved(Facts const& f);
/// The same read took times that differ by too much.
std::optional<Finding> unlike(Facts const& f);

// work.cpp
/// Decoding is much of the computing.
std::optional<Finding> decoding(Facts const& f);
/// Copying out of the system's cache is much of it, and more than decoding.
std::optional<Finding> copying(Facts const& f);
/// Putting tiles in their places is much of it.
std::optional<Finding> composing(Facts const& f);
/// Much of the computing does not belong to a tile.
std::optional<Finding> filling(Facts const& f);

// threads.cpp
/// What several threads gave here.
std::optional<Finding> threads(Facts const& f);
/// Workers that wait while one of them has the last tile.
std::optional<Finding> idle(Facts const& f);
/// The same tiles took more computing with more threads.
std::optional<Finding> inflated(Facts const& f);

// disk.cpp Whether the disk limits a first
/// read, or why that is not known.
std::optional<Finding> disk(Facts const& f);
/// The system kept the file in its cache although asked to forget it.
std::optional<Finding> not_cold(Facts const& f);

// layout.cpp
/// Tiles overlap, and a reader of single rectangles decodes them more than once.
std::optional<Finding> amplification(Facts const& f);
/// The order of the directory jumps farther than that of the file.
std::optional<Finding> order(Facts const& f);
/// Opening takes long beside a read.
std::optional<Finding> opening(Facts const& f);
/// There is no pyramid, and an overview decodes every tile.
std::optional<Finding> flat(Facts const& f);
/// Tiles that lie wholly under others.
std::optional<Finding> hidden(Facts const& f);

}  // namespace sluice::slide::rule
