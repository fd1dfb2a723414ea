// Doses between the middles of elements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "format/dicom/structure_parts.h"
#include "sluice/volume.h"

namespace sluice::proton {

/// The dose at the middles of dicom::cut(grid, box, pieces): [z][y][x]. Cubic along each axis
/// (Catmull and Rom), so that the mean of an element is right where doses bend, and kept between
/// the two neighbours, so that nothing is above the highest dose or below 0. Beyond the outermost
/// middle it is constant. A neighbour that is not finite counts only where it is one of the two.
std::vector<float> finer_doses(Volume const& dose, dicom::Box const& box, int pieces);

}  // namespace sluice::proton
