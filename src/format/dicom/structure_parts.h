// What part of each element of a grid lies in a structure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/dicom/structure_grid.h"

namespace sluice::dicom {

/// The stack of a structure that can be laid over grids. Errors: no contours, those of one plane
/// alone, or of planes that are not square to an axis of space.
Result<Stack> solid_of(Structure const& s);

/// [z][y][x]: the part of each element that is in the stack, 0 to 1.
Result<Array<float>> parts_in(Stack const& stack, Grid const& grid);

}  // namespace sluice::dicom
