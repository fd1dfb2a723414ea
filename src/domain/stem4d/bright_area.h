// The bright area that a disk is a part of: the disk alone, or one with neighbours that touch it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/disk_image.h"

namespace sluice::stem4d {

struct BrightArea {
    double size = 0;  ///< over that of the disk, as far as it is on the detector
    double lone = 0;  ///< the part of it without a counterpart on the other side of the disk
};

/// What is joined to the disk's inside by pixels above half its height, smoothed as the noise
/// needs. Costs a pass over the image.
BrightArea bright_area(Image const& image, Disk const& disk);

}  // namespace sluice::stem4d
