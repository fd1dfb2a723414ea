// Adds the model of a disk to an image, or takes it away.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/fit/scoring.h"

namespace sluice::crystal {

/// `image` is pixel (0, 0) of rows of `pitch` floats with a crop's side around the frame. Adds
/// `times` the disk, on the pixels of its crop.
void add_disk(Tables const& tables, DiskState const& disk, double times, float* image, index pitch);

/// Where the tables speak of a disk: a phase, and what is left to it in pixels.
struct Phase {
    float const* table;
    index row, col;  ///< of the crop's first pixel
    double d_row, d_col;
};
Phase phase_at(Tables const& tables, double row, double col);

}  // namespace sluice::crystal
