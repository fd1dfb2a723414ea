// Symmetries of the eleven Laue classes for tests, by the names of space groups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sluice/structure_factors.h"

namespace sluice::orient {

/// Lengths and angles, and a name without operations.
stem4d::UnitCell named_cell(std::array<double, 6> const& cell, std::string_view group);
/// Of a class as name_of() has it, with its axes along z and x, as orix has them.
stem4d::CrystalSymmetry symmetry_named(std::string_view laue);

}  // namespace sluice::orient
