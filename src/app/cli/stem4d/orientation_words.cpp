// Tells of orientation maps.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/orientation_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/plural.h"
#include "domain/crystal/median.h"
#include "sluice/orientation_grains.h"

namespace sluice::cli {
namespace {

using stem4d::OrientationMap;
using stem4d::OrientationReason;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A value of each pattern that `has` one.
template <class Value, class Has>
ScanMap map_of(OrientationMap const& map, char const* name, char const* unit, Has const& has,
               Value const& value) {
    Array<double> values{{map.scan_shape[0], map.scan_shape[1]}, {}};
    for (std::size_t p = 0; p < map.reason.size(); ++p)
        values.values.push_back(has(p) ? static_cast<double>(value(p)) : nan);
    return make_map(name, unit, std::move(values), Missing::not_converged);
}

// One standard error of the whole rotation, in degrees.
double error_of(std::array<double, 6> const& covariance) {
    return std::sqrt(covariance[0] + covariance[1] + covariance[2]) * 180 / std::numbers::pi;
}

index count_of(OrientationMap const& map, OrientationReason reason) {
    return std::ranges::count(map.reason, reason);
}

index indexed_of(OrientationMap const& map, std::size_t phase) {
    index n = 0;
    for (std::size_t p = 0; p < map.reason.size(); ++p)
        n += map.reason[p] == OrientationReason::indexed &&
             map.phase[p] == static_cast<std::int32_t>(phase);
    return n;
}

}  // namespace

Json json_of_orientations(OrientationMap const& map) {
    Json j{{"scan", map.scan_shape}, {"indexed", stem4d::indexed_patterns(map)}};
    for (std::size_t i = 0; i < map.phases.size(); ++i)
        j["phases"].push_back({{"name", map.phases[i].name},
                               {"laue", name_of(map.phases[i].symmetry.laue)},
                               {"indexed", indexed_of(map, i)}});
    for (std::size_t r = 0; r < stem4d::orientation_reasons; ++r) {
        auto const reason = static_cast<OrientationReason>(r);
        j["reasons"][std::string(name_of(reason))] = count_of(map, reason);
    }
    // NaN becomes null.
    j["common_factor"] = map.common_factor, j["common_factor_error"] = map.common_factor_error;
    return j;
}

std::vector<std::string> lines_of_orientations(OrientationMap const& map) {
    std::vector<std::string> lines;
    lines.push_back(fmt::format("{} of {} patterns are indexed", stem4d::indexed_patterns(map),
                                map.patterns()));
    if (map.phases.size() > 1)
        for (std::size_t i = 0; i < map.phases.size(); ++i)
            lines.push_back(fmt::format("{} patterns: {}", indexed_of(map, i), map.phases[i].name));
    for (std::size_t r = 1; r < stem4d::orientation_reasons; ++r)
        if (auto const reason = static_cast<OrientationReason>(r); count_of(map, reason) > 0)
            lines.push_back(fmt::format("{} patterns: {}", count_of(map, reason), name_of(reason)));
    return lines;
}

Status tell_boundaries(OrientationMap const& map, double least_degrees,
                       std::vector<std::string>& lines, Json& json) {
    SLUICE_TRY(auto const boundaries, stem4d::orientation_boundaries(map, least_degrees));
    std::vector<double> angles;
    for (auto const& b : boundaries)
        if (std::isfinite(b.degrees)) angles.push_back(b.degrees);
    index const between = std::ssize(boundaries) - std::ssize(angles);
    double const middle = angles.empty() ? nan : crystal::median(angles);
    json["boundaries"] = {{"least_degrees", least_degrees},
                          {"pairs", boundaries.size()},
                          {"between_phases", between},
                          {"median_degrees", middle}};
    std::string line = fmt::format(
        "{} by {:g} degrees or more",
        plural(std::ssize(angles), "pair of neighbours differs", "pairs of neighbours differ"),
        least_degrees);
    if (!angles.empty()) line += fmt::format(", half of them by {:.1f} or more", middle);
    if (between > 0) line += fmt::format("; {} between two phases", between);
    lines.push_back(line);
    for (std::size_t i = 0; i < map.phases.size(); ++i) {
        SLUICE_TRY(auto const h, stem4d::disorientation_histogram(map, static_cast<std::int32_t>(i),
                                                                  {.bin_degrees = 2}));
        json["disorientations"].push_back({{"phase", map.phases[i].name},
                                           {"bin_degrees", h.bin_degrees},
                                           {"neighbour_pairs", h.neighbour_pairs},
                                           {"neighbours", h.neighbours},
                                           {"drawn_pairs", h.drawn_pairs},
                                           {"drawn", h.drawn},
                                           {"random", h.random}});
    }
    return {};
}

std::vector<ScanMap> maps_of(OrientationMap const& map) {
    auto const indexed = [&](std::size_t p) { return map.reason[p] == OrientationReason::indexed; };
    auto const matched = [&](std::size_t p) { return map.phase[p] >= 0; };
    std::vector<ScanMap> maps;
    maps.push_back(
        map_of(map, "phase", "", indexed, [&](std::size_t p) { return map.phase[p] + 1; }));
    char const* const names[] = {"phi1", "Phi", "phi2"};
    for (std::size_t i = 0; i < 3; ++i)
        maps.push_back(map_of(map, names[i], "deg", indexed, [&](std::size_t p) {
            return stem4d::euler_of(map.orientation[p])[i];
        }));
    maps.push_back(map_of(map, "orientation_error", "deg", indexed,
                          [&](std::size_t p) { return error_of(map.covariance[p]); }));
    maps.push_back(
        map_of(map, "probability", "", matched, [&](std::size_t p) { return map.probability[p]; }));
    maps.push_back(map_of(map, "score", "", matched, [&](std::size_t p) { return map.score[p]; }));
    maps.push_back(map_of(map, "second_score", "", matched,
                          [&](std::size_t p) { return map.second_score[p]; }));
    maps.push_back(map_of(map, "residual", "1/\u00c5", matched,
                          [&](std::size_t p) { return map.residual[p]; }));
    maps.push_back(
        map_of(map, "explained", "", matched, [&](std::size_t p) { return map.explained[p]; }));
    auto const any = [](std::size_t) { return true; };
    maps.push_back(map_of(map, "disks", "", any, [&](std::size_t p) { return map.disks[p]; }));
    maps.push_back(map_of(map, "reason", "", any,
                          [&](std::size_t p) { return static_cast<int>(map.reason[p]); }));
    return maps;
}

}  // namespace sluice::cli
