// What part of each element of a grid lies in a structure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/dicom/structure_stack.h"

namespace sluice::dicom {

/// Where the elements of a volume lie, without the volume; x first.
struct Grid {
    std::array<index, 3> sides{};
    std::array<double, 3> spacing{}, origin{};  ///< mm; of the middle of the first element
    AxisDirections direction = straight_axes;
};
/// Errors: the volume has not three axes, tells no spacing or origin, or lies obliquely.
Result<Grid> grid_of(Volume const& volume);

/// Elements of a grid, along each axis from the first to behind the last.
struct Box {
    std::array<index, 3> first{}, last{};

    bool empty() const;
    index elements() const;
};
/// The smallest box that has all of a structure that lies in the grid.
Box box_of(Stack const& stack, Grid const& grid);
/// The part of a grid, each element of it cut into `pieces` along each axis.
Grid cut(Grid const& grid, Box const& box, int pieces);

/// The stack of a structure that can be laid over grids. Errors: no contours, those of one plane
/// alone, or of planes that are not square to an axis of space.
Result<Stack> solid_of(Structure const& s);

/// [z][y][x]: the part of each element that is in the stack, 0 to 1.
Result<Array<float>> parts_in(Stack const& stack, Grid const& grid);

}  // namespace sluice::dicom
