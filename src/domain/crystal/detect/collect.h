// From the disks of patterns to columns in the detector's coordinates.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/crystal/detect/found.h"
#include "sluice/stem4d.h"

namespace sluice::crystal {

/// Patterns are [row][col] of the scan. Positions become those of the detector.
stem4d::BraggVectors collect(std::span<FoundPattern const> patterns,
                             std::array<index, 2> scan_shape, std::array<index, 2> detector_shape,
                             stem4d::PixelGrid const& grid);

}  // namespace sluice::crystal
