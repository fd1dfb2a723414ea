// Zones: the lattice of reflections that a beam along a zone axis sees.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sluice/unit_cell.h"

namespace sluice::crystal {

/// Two short vectors of the lattice that the reflections of a zone span, and their shape.
struct ZoneLattice {
    stem4d::Indices zone{}, a{}, b{};
    double aa = 0, bb = 0, ab = 0;  ///< products, 1/ångström^2
};
/// What double diffraction fills belongs to it. Empty: too few reflections that are not absent.
std::optional<ZoneLattice> zone_lattice(stem4d::UnitCell const& cell, stem4d::Indices const& zone);

/// Directions without a common divisor, one of each pair of opposites, the simplest first.
std::vector<stem4d::Indices> zones_up_to(int most);

}  // namespace sluice::crystal
