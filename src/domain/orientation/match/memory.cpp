// Counts what matchers and maps of orientations take.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/memory.h"

#include <fmt/format.h>

#include "domain/crystal/memory.h"
#include "domain/orientation/match/matcher.h"
#include "domain/orientation/match/pattern_groups.h"

namespace sluice::orient {

std::uint64_t matcher_bytes(stem4d::OrientationLibrary::State const& library) {
    auto const floats = static_cast<std::uint64_t>(library.polar.spectrum_floats());
    auto const cells = static_cast<std::uint64_t>(library.cells.size());
    auto const group = static_cast<std::uint64_t>(PatternGroups::group_size);
    // Of each pattern its spectrum, its score in each cell, its candidates.
    std::uint64_t const pattern = (floats + cells) * sizeof(float) + sizeof(Candidates);
    return group * pattern + lanes_of_patterns * floats * sizeof(float);
}

std::uint64_t map_bytes(index patterns, index grains) {
    using Map = stem4d::OrientationMap;
    constexpr std::uint64_t numbers = sizeof(Map::reason[0]) + sizeof(Map::phase[0]) +
                                      sizeof(Map::orientation[0]) + sizeof(Map::covariance[0]) +
                                      5 * sizeof(Map::score[0]) + sizeof(Map::disks[0]);
    constexpr std::uint64_t beside_list = 16;
    std::uint64_t const pattern = sizeof(std::vector<Match>) + beside_list +
                                  static_cast<std::uint64_t>(grains) * (sizeof(Match) + numbers);
    return static_cast<std::uint64_t>(patterns) * pattern;
}

Status check_memory(stem4d::OrientationLibrary::State const& library, index patterns, index grains,
                    int threads) {
    std::uint64_t const needed =
        map_bytes(patterns, grains) + static_cast<std::uint64_t>(threads) * matcher_bytes(library);
    return crystal::check_memory(needed, fmt::format("orientations of {} patterns", patterns));
}

}  // namespace sluice::orient
