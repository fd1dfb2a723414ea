// Draws a pattern with the disks that were found in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/drawing.h"
#include "sluice/disks.h"

namespace sluice::cli {

struct DiskWords {
    std::string heading, found;
};

/// The pattern [row][col] in log scale, circles of the template's radius about its disks, and
/// crosses where a known lattice has points in the pattern at `point` of the scan as loaded.
figure::Drawing draw_disks(Array<double> const& pattern, stem4d::PixelGrid const& grid,
                           stem4d::DiskSetup const& setup, std::array<index, 2> point,
                           stem4d::BraggVectors const& found, DiskWords const& words);

}  // namespace sluice::cli
