// How the origin of a lattice moves over a scan: a plane that outliers do not bend.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/lattice.h"

namespace sluice::crystal {

struct SeenOrigin {
    double row, col;   ///< of the scan
    stem4d::Point at;  ///< in a pattern
};
struct Wander {
    stem4d::Point first, by_row, by_col;
    double typical = 0;  ///< median distance from the plane
};

/// Least squares in rounds; those farther than three times the median take no part in the next one.
Wander plane_of(std::span<SeenOrigin const> seen);

}  // namespace sluice::crystal
