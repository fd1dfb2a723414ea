// The symmetry operations of a CIF: listed, or those of the space group it names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/cif/block.h"
#include "sluice/unit_cell.h"

namespace sluice::crystal::cif {

/// `whole` is false where only some are known, so that atoms have more images. Notes tell what was
/// taken. Errors: operations that are not understood.
Status read_operations(Block const& block, stem4d::UnitCell& cell, bool& whole);

}  // namespace sluice::crystal::cif
