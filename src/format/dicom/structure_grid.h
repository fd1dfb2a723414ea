// The elements of a volume that structures are laid over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/dicom/grid.h"
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

/// How an axis of space runs along one of the grid: elements, where the edge of the first is 0.
struct Along {
    std::size_t axis = 0;
    double step = 1, edge = 0;  // mm, negative where the grid runs the other way

    double operator()(double mm) const { return (mm - edge) / step; }
};

/// `direction` is an axis of space.
Along along(Grid const& grid, Vector3 const& direction);

/// From low to high, whichever way the grid runs.
std::array<double, 2> ordered(double a, double b);
/// The elements of an axis that a stretch of it touches: the first, and the one behind the last.
std::array<index, 2> touched(std::array<double, 2> const& stretch, index side);

}  // namespace sluice::dicom
