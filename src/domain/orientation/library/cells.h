// Zones near each other, so that a coarse search says which of them are worth a fine one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/orientation/vectors.h"
#include "sluice/view.h"

namespace sluice::orient {

/// The fine directions nearest to each of the coarse ones, where there are any; the one in the
/// middle comes first.
std::vector<std::vector<index>> cells_of(std::vector<Vector3> const& fine,
                                         std::vector<Vector3> const& coarse);

}  // namespace sluice::orient
