// How wide the edge of a disk is: what tells a disk from a smooth hump, which has circles of half
// its height, too. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/disk_image.h"

namespace sluice::stem4d {

struct EdgeWidth {
    /// The blur (standard deviation) that makes a sharp disk's radial profile as soft as this one,
    /// over the radius; the blur by pixels is taken off.
    double part = 0;
    /// How much better a disk's edge fits than a smooth one, in squares of the counts' noise.
    double evidence = 0;
    double unevenness = 0;  ///< how far the profile rises and falls inside, over the disk's height
    bool is_edge() const { return evidence > 6 && unevenness < 0.5; }
};

/// Of the radial profile around `disk`, without directions behind a beam stop or towards a brighter
/// neighbour.
EdgeWidth edge_width(Image const& image, Disk const& disk);

}  // namespace sluice::stem4d
