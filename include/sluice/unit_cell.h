// UnitCell: a crystal that is known, by its axes, its symmetry and its atoms; CIF files of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::stem4d {

/// Miller's indices (h, k, l), or those of a zone axis [u, v, w].
using Indices = std::array<int, 3>;

/// Takes a place x to turn x + shift, in parts of the axes.
struct SymmetryOperation {
    std::array<std::array<int, 3>, 3> turn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    std::array<double, 3> shift{};
};
struct Atom {
    int number = 0;                 ///< of protons: what it scatters is taken as proportional
    std::array<double, 3> place{};  ///< in parts of the axes
    double occupancy = 1;
    double b_iso = 0;  ///< temperature factor in ångström^2 (8 pi^2 U), isotropic
};

/// Any of the seven crystal systems.
struct UnitCell {
    double a = 0, b = 0, c = 0;                 ///< in ångström
    double alpha = 90, beta = 90, gamma = 90;   ///< in degrees, between b and c, c and a, a and b
    std::vector<SymmetryOperation> operations;  ///< they forbid reflections; empty: none is known
    std::vector<Atom> atoms;  ///< all of a cell; empty: symmetry alone says what is absent
    std::string name;
    std::vector<std::string> notes;  ///< what a file left open
};

/// The first block of a CIF that has a cell. Errors: text that is no CIF, no cell, absurd sizes.
Result<UnitCell> parse_cif(std::string_view text);
/// The same of a file of up to 16 MB.
Result<UnitCell> load_cif(std::string const& path);

/// Errors: lengths not within 0.5 to 1000 ångström, angles that enclose no volume.
Status check_cell(UnitCell const& cell);
/// Of the planes of these indices, in ångström. The cell must have passed check_cell().
double spacing(UnitCell const& cell, Indices const& hkl);

struct Reflection {
    Indices hkl{};
    double frequency = 0;  ///< 1 / spacing, in 1/ångström
    /// |F| over the sum of all atoms of the cell, from 0 to 1; 1 where no atoms are known.
    double strength = 1;
};
/// Those that are not absent, up to a frequency in 1/ångström; the lowest first. Errors:
/// check_cell()'s, and more than a million of them.
Result<std::vector<Reflection>> reflections(UnitCell const& cell, double most_frequency);

}  // namespace sluice::stem4d
