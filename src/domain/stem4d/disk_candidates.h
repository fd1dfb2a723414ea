// Circles that might be the bright-field disk, at all sizes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/disk_image.h"

namespace sluice::stem4d {

/// Rough circles whose inner rim is brighter than their outer one, the likeliest first; some dozen
/// at most. Sizes are looked for in pictures of halved size, so that each costs the same.
std::vector<Disk> disk_candidates(Image const& image);

}  // namespace sluice::stem4d
