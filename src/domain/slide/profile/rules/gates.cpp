// Reads that were too short, starved or restless: their times do not show what limits them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/slide/profile/rules/rule.h"
#include "domain/slide/profile/rules/words.h"

namespace sluice::slide::rule {
namespace {

// Shorter reads show nothing about their limits.
constexpr double enough_s = 0.05;
constexpr index enough_tiles = 4;

}  // namespace

std::optional<Finding> too_short(Facts const& f) {
    if (f.reads.empty()) return {};
    ReadFacts const& one = f.reads.front();
    if (one.wall_s >= enough_s && f.tiles >= enough_tiles) return {};
    return Finding{"too short",
                   fmt::format("A read of {} takes {}, which is too short to show what limits it.",
                               plural(f.tiles, "tile"), duration(one.wall_s)),
                   how_to_measure_more()};
}

std::optional<Finding> starved(Facts const& f) {
    return bench::starved(f.reads, f.processors);
}

std::optional<Finding> unlike(Facts const& f) {
    return bench::unsteady(f.reads, f.processors, "read");
}

}  // namespace sluice::slide::rule
