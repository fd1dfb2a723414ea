// The pixels of disks and annuli as stretches of rows, found without looking at each pixel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/dense/kernels.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Squared radii between which the pixels of a disk or an annulus lie, both inclusive.
struct RoundEdges {
    double least, most;
};
/// `scale`: pixels of a unit of the radii.
RoundEdges round_edges(Detector const& detector, double scale);

/// The pixels that rasterize() of the same arguments gives; `detector` is a disk or an annulus in
/// pixels or radii of the disk. Empty where it covers none.
std::vector<dense::Run> round_runs(Detector const& detector, std::array<index, 2> shape,
                                   Disk const& disk);

}  // namespace sluice::stem4d
