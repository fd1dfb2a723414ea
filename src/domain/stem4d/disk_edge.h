// A rough circle drawn onto the edge that is really there, and how much of an edge that is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/disk_image.h"

namespace sluice::stem4d {

struct Edge {
    Disk disk = {};
    double seen = 0;          ///< part of the circle's directions on the detector that show it
    double filled = 0;        ///< part of its inside that is bright
    double height = 0;        ///< of the plateau above what is around it
    double significance = 0;  ///< the height over its noise
    double quality() const { return seen * filled; }
};

/// Empty where there is no circular edge near `rough`, or so little of one that neither its centre
/// nor its radius is determined.
std::optional<Edge> edge_near(Image const& image, Disk const& rough);

}  // namespace sluice::stem4d
