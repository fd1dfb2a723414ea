// A structure as slabs: the contours of a plane, and how far they reach to both sides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/dicom/even_odd.h"
#include "sluice/structures.h"
#include "sluice/volume.h"

namespace sluice::dicom {

/// What the contours of one plane fill, in the coordinates of a Stack.
struct Slab {
    double at = 0;                 ///< of the plane, mm
    double from = 0, to = 0;       ///< mm
    std::vector<Ring> rings = {};  ///< mm
};

/// Along `axes[2]`, which is square to the contours; rings are along `axes[0]` and `axes[1]`.
struct Stack {
    AxisDirections axes{};
    double usual = 0;         ///< mm: the median of the distances of neighbours; 0 of one plane
    std::vector<Slab> slabs;  ///< ascending
};

/// Neighbours that are no farther apart than this many usual distances meet half way. Others, and
/// the ends, reach half a usual distance.
inline constexpr double farthest_neighbour = 1.5;

/// `s` has contours, one of them with an area. A contour that is there twice counts once.
Stack stack_of(Structure const& s);

/// mm2, of a slab.
Result<double> area_of(Slab const& slab);

}  // namespace sluice::dicom
