// The one of equal orientations that is nearest to another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation.h"

namespace sluice::orient {

/// Of all that symmetry makes equal to `g`, the one by the least rotation away from `to`; of its
/// two quaternions the one on the same side.
stem4d::Orientation nearest_equal(stem4d::Orientation const& to, stem4d::Orientation const& g,
                                  stem4d::CrystalSymmetry const& s);

}  // namespace sluice::orient
