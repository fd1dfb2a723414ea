// The columns of an orientation map, by their names in HDF5 files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/orientation_map.h"

namespace sluice::orient {

/// Calls f(name, unit, parts, column) for each: `parts` numbers stand for one pattern. Map is an
/// OrientationMap, constant or not.
template <class Map, class F>
void each_column(Map& map, F const& f) {
    f("reason", "", index{1}, map.reason);
    f("phase", "", index{1}, map.phase);
    f("orientation", "", index{4}, map.orientation);
    f("covariance", "rad^2", index{6}, map.covariance);
    f("score", "", index{1}, map.score);
    f("second_score", "", index{1}, map.second_score);
    f("residual", "1/Angstrom", index{1}, map.residual);
    f("explained", "", index{1}, map.explained);
    f("disks", "", index{1}, map.disks);
    f("probability", "", index{1}, map.probability);
}

/// An atom and an operation as rows of numbers.
inline constexpr index atom_numbers = 6, operation_numbers = 12;
std::vector<double> numbers_of(std::vector<stem4d::Atom> const& atoms);
std::vector<double> numbers_of(std::vector<stem4d::SymmetryOperation> const& operations);
std::array<double, 6> lengths_and_angles(stem4d::UnitCell const& cell);

/// Of all columns, phases and notes, bit by bit.
std::uint64_t digest_of(stem4d::OrientationMap const& map);

inline constexpr std::string_view map_group = "orientation_map", overlapping_group = "overlapping";

}  // namespace sluice::orient
