// Tallies of maps on a device: each channel's mean and squared distances, the same bits on all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/queue.h"

namespace sluice::nn {

/// Numbers of scratch for maps of so many pixels and channels.
index tally_scratch_doubles(index pixels, index channels);

/// `tally` becomes [2][channels] of the map [pixels][channels]: mean, and sum of squared distances.
/// Parts of 64 pixels are counted in float, and 64 of them are joined in double, and 64 of these.
/// Which parts there are depends on the map alone, and so do the bits.
Status tally(Queue& queue, float const* x, index pixels, index channels, double* scratch,
             double* tally);

}  // namespace sluice::nn
