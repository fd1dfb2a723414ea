// The atoms of a CIF.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/crystal/cif/block.h"
#include "sluice/unit_cell.h"

namespace sluice::crystal::cif {

/// All atoms of the cell by its operations, or none and a note that says why. Errors: far too many.
Status read_atoms(Block const& block, stem4d::UnitCell& cell);

/// False where the block counts the places equal to an atom, and these operations make another
/// number.
bool fits_multiplicities(Block const& block, std::span<stem4d::SymmetryOperation const> operations);

}  // namespace sluice::crystal::cif
