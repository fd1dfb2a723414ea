// The kernels over plain values on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/remote.h"
#include "kernel/dense/kernels.h"

namespace sluice::dense {

/// Gives n elements of the kernel to the device; done after device.wait().
Status map_remote(RemoteDevice& device, index n, VirtualSum const& kernel);
Status map_remote(RemoteDevice& device, index n, Moments const& kernel);
Status map_remote(RemoteDevice& device, index n, PatternStats const& kernel);
Status map_remote(RemoteDevice& device, index n, WeightedSum const& kernel);

}  // namespace sluice::dense
