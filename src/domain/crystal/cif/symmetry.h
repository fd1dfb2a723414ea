// Symmetry operations of CIFs, as texts, and what a space group's letter says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sluice/unit_cell.h"

namespace sluice::crystal::cif {

/// "-y, x-y, z+1/3"; empty where it is not understood.
std::optional<stem4d::SymmetryOperation> parse_operation(std::string_view text);

/// The identity and the shifts of a lattice's letter: P, A, B, C, I, F or R (on hexagonal axes).
std::vector<stem4d::SymmetryOperation> centring_of(char letter);

}  // namespace sluice::crystal::cif
