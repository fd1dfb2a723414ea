// Structure factors: how strongly a crystal scatters electrons into each of its reflections.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>

#include "sluice/orientation.h"
#include "sluice/unit_cell.h"

namespace sluice::stem4d {

struct StructureFactor {
    Indices hkl{};
    Vector3 g{};           ///< in 1/ångström, in the Cartesian frame of the crystal
    double frequency = 0;  ///< |g|
    /// Sum over the atoms of the cell of f_e exp(2 pi i h.x), with occupancies and temperature
    /// factors; in ångström. f_e are those of the International Tables C 4.3.2.2 (Peng and others
    /// 1996, 10.1107/S0108767395014371), at rest mass.
    std::complex<double> amplitude;
};
/// All reflections that are not absent, up to a frequency in 1/ångström (at most 4), the lowest
/// first; both of a pair of opposite ones. Errors: a cell without atoms, an element without
/// factors, those of reflections().
Result<std::vector<StructureFactor>> structure_factors(UnitCell const& cell, double most_frequency);

/// Volume of the cell in cubic ångström.
double volume_of(UnitCell const& cell);
/// Cartesian axes a, b, c in ångström: x along a, z along c*.
std::array<Vector3, 3> axes_of(UnitCell const& cell);
/// a*, b*, c* in 1/ångström.
std::array<Vector3, 3> reciprocal_axes_of(UnitCell const& cell);
/// From the operations of the cell, whatever its setting. Errors: operations that are no group, or
/// that do not fit the lengths and angles of the cell.
Result<CrystalSymmetry> symmetry_of(UnitCell const& cell);

}  // namespace sluice::stem4d
