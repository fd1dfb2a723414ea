// The frame that the usual triangle of a Laue class is drawn in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation.h"

namespace sluice::orient {

/// x, y, z by the axes of `rotations`: those nearest to the crystal's own x and z. Rhombohedral and
/// hexagonal axes of a crystal give one frame.
std::array<stem4d::Vector3, 3> class_frame(stem4d::CrystalSymmetry const& symmetry);

}  // namespace sluice::orient
