// Turns that bring the lattice of a crystal onto itself, but not the crystal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/orientation.h"
#include "sluice/unit_cell.h"

namespace sluice::orient {

/// Of each class of equal ones one. Disks lie alike after such a turn, and intensities alone tell.
/// Lattices that nearly have a symmetry count as if they had it.
std::vector<stem4d::Orientation> look_alikes(stem4d::UnitCell const& cell,
                                             stem4d::CrystalSymmetry const& symmetry);

}  // namespace sluice::orient
