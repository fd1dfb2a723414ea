// Numbers of orientations as arrays, and what is said of them.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/orientation_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "app/view/stem4d/crystal/words_json.h"
#include "domain/orientation/figures/figures.h"
#include "domain/orientation/figures/indices.h"
#include "figure/render.h"
#include "sluice/orientation_figures.h"

namespace sluice::app {
namespace {

using stem4d::OrientationMap;
using stem4d::OrientationReason;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Of a pattern's candidates so many are told, each with so many spots.
constexpr std::size_t most_candidates = 4, most_spots = 600;
// Pixels of a triangle, and the height of its letters.
constexpr index legend_side = 150;
constexpr double legend_cap = 12;

void add_picture(Answer& a, std::string const& name, Picture const& picture) {
    std::vector<double> const values(picture.rgb.begin(), picture.rgb.end());
    a.arrays.add_counts(name, {picture.rows, picture.cols, 3}, values);
}

// One standard error of the whole rotation, in degrees.
double error_of(std::array<double, 6> const& c) {
    return std::sqrt(c[0] + c[1] + c[2]) * 180 / std::numbers::pi;
}

// Of the scan's directions that colours are of, in the order of `directions`.
constexpr stem4d::Vector3 directions[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};

Status add_colors(Answer& a, OrientationMap const& map) {
    std::vector<double> values;
    for (stem4d::Vector3 const& along : directions) {
        SLUICE_TRY(Picture const picture, stem4d::ipf_colors(map, along));
        values.insert(values.end(), picture.rgb.begin(), picture.rgb.end());
    }
    a.arrays.add_counts("colors", {3, map.scan_shape[0], map.scan_shape[1], 3}, values);
    a.fields["directions"] = {"z", "x", "y"};
    return {};
}

void add_numbers(Answer& a, OrientationMap const& map) {
    std::vector<index> const shape{map.scan_shape[0], map.scan_shape[1]};
    std::vector<double> phase, probability, error, euler;
    for (std::size_t p = 0; p < map.reason.size(); ++p) {
        bool const indexed = map.reason[p] == OrientationReason::indexed;
        phase.push_back(indexed ? map.phase[p] + 1 : 0);
        probability.push_back(static_cast<double>(map.probability[p]));
        error.push_back(indexed ? error_of(map.covariance[p]) : nan);
        for (double const angle : euler_of(map.orientation[p]))
            euler.push_back(indexed ? angle : nan);
    }
    a.arrays.add_counts("phase", shape, phase);
    add_reasons(a, "reason", shape, map.reason);
    a.arrays.add_floats("probability", shape, probability);
    a.arrays.add_floats("error", shape, error);
    a.arrays.add_floats("euler", {shape[0], shape[1], 3}, euler);
}

Status add_phases(Answer& a, OrientationMap const& map) {
    a.fields["phases"] = Json::array();
    for (std::size_t i = 0; i < map.phases.size(); ++i) {
        stem4d::CrystalPhase const& phase = map.phases[i];
        index indexed = 0;
        for (std::size_t p = 0; p < map.reason.size(); ++p)
            indexed += map.reason[p] == OrientationReason::indexed &&
                       map.phase[p] == static_cast<std::int32_t>(i);
        a.fields["phases"].push_back({{"name", phase.name},
                                      {"laue", std::string(name_of(phase.symmetry.laue))},
                                      {"indexed", indexed}});
        SLUICE_TRY(Picture const legend,
                   figure::picture_of(orient::ipf_legend(phase, legend_side, legend_cap)));
        add_picture(a, fmt::format("legend {}", i), legend);
    }
    return {};
}

Json json_of(FoundScale const& scale) {
    auto const& c = scale.calibration;
    char const* const by[] = {"automatic", "file", "step", "crystal"};
    Json j{{"by", by[static_cast<std::size_t>(scale.by)]},
           {"pixel_size", c.pixel_size},
           {"error", c.pixel_size_error},
           {"center", {c.center().row, c.center().col}}};
    j["rotation"] =
        c.rotation ? Json{{"degrees", c.rotation->degrees}, {"transpose", c.rotation->transpose}}
                   : Json();
    return j;
}

Json json_of(stem4d::OrientationCandidate const& c, stem4d::CrystalPhase const& phase) {
    return {{"phase", c.phase},
            {"name", phase.name},
            {"euler", euler_of(c.orientation)},
            {"zone", orient::plain(orient::axis_of(c.zone, phase.cell))},
            {"zone_degrees", c.zone_degrees},
            {"log_odds", c.log_odds},
            {"score", c.score},
            {"explained", c.explained},
            {"matched", c.matched},
            {"error", error_of(c.covariance)}};
}

}  // namespace

Result<Answer> pack_orientations(ScanOrientations const& found) {
    OrientationMap const& map = found.map;
    Answer a;
    SLUICE_CHECK(add_colors(a, map));
    add_numbers(a, map);
    add_reasons(a, "disk_reason", {map.scan_shape[0], map.scan_shape[1]},
                found.disks->vectors.reason);
    SLUICE_CHECK(add_phases(a, map));
    a.fields["reasons"] = words_until(OrientationReason::unreliable);
    a.fields["disk_reasons"] = words_until(stem4d::DiskReason::off_detector);
    a.fields["indexed"] = stem4d::indexed_patterns(map);
    a.fields["disks"] = found.disks->vectors.size();
    a.fields["zones"] = found.library->zones();
    a.fields["kilovolts"] = found.library->options().kilovolts;
    a.fields["calibration"] = json_of(found.scale);
    a.fields["common_factor"] = map.common_factor;  // NaN becomes null
    a.fields["common_factor_error"] = map.common_factor_error;
    std::vector<std::string> notes = found.scale.calibration.notes;
    notes.insert(notes.end(), map.notes.begin(), map.notes.end());
    a.fields["notes"] = notes;
    a.fields["plan"] = json_of(*found.disks->plan);
    return a;
}

Answer pack_match(ScanOrientations const& of, stem4d::PatternOrientations const& found, index row,
                  index col) {
    Answer a;
    std::vector<double> values;
    index spots = 0;
    a.fields["candidates"] = Json::array();
    for (std::size_t i = 0; i < std::min(found.candidates.size(), most_candidates); ++i) {
        auto const& c = found.candidates[i];
        a.fields["candidates"].push_back(
            json_of(c, of.map.phases[static_cast<std::size_t>(c.phase)]));
        for (std::size_t s = 0; s < std::min(c.spots.size(), most_spots); ++s, ++spots) {
            auto const& [theory, detector] = c.spots[s];
            for (double const v :
                 {static_cast<double>(i), detector.row, detector.col, theory.intensity,
                  static_cast<double>(theory.hkl[0]), static_cast<double>(theory.hkl[1]),
                  static_cast<double>(theory.hkl[2])})
                values.push_back(v);
        }
    }
    a.arrays.add_floats("spots", {spots, 7}, values);
    a.fields["code"] = static_cast<int>(found.reason);
    a.fields["reason"] = std::string(name_of(found.reason));
    auto const& disks = of.disks->vectors;
    auto const p = static_cast<std::size_t>(row * disks.scan_shape[1] + col);
    a.fields["disk_reason"] = std::string(name_of(disks.reason[p]));
    a.fields["probability"] = found.probability;  // NaN becomes null
    a.fields["disks"] = found.disks;
    return a;
}

}  // namespace sluice::app
