// The mean of orientations that are near each other, up to symmetry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/orientation.h"

namespace sluice::orient {

/// Of at least one. Each is taken as the one of its equals that is nearest to the mean.
stem4d::Orientation mean_of(std::span<stem4d::Orientation const> all,
                            stem4d::CrystalSymmetry const& symmetry);

}  // namespace sluice::orient
