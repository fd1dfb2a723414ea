// The zone axis of small indices that is nearest to a direction of a crystal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/vectors.h"
#include "sluice/unit_cell.h"

namespace sluice::orient {

struct NearestZone {
    stem4d::Indices uvw{};
    double degrees = 0;  ///< from there to the direction
};
/// With indices up to 5 and without a common factor; of equally near ones the smaller.
NearestZone nearest_zone(Vector3 const& direction, stem4d::UnitCell const& cell);

}  // namespace sluice::orient
