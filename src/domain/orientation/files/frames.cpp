// Oxford's frame out of the axes of a cell.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/files/frames.h"

#include "domain/orientation/vectors.h"
#include "sluice/structure_factors.h"

namespace sluice::orient {

stem4d::Orientation to_oxford(stem4d::UnitCell const& cell) {
    Vector3 const x = unit(stem4d::reciprocal_axes_of(cell)[0]), z = unit(stem4d::axes_of(cell)[2]);
    return stem4d::from_matrix({x, cross(z, x), z});
}

}  // namespace sluice::orient
