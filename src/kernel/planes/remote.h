// The kernels over bit planes on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/remote.h"
#include "kernel/planes/kernels.h"

namespace sluice::planes {

/// Gives n elements of the kernel to the device; done after device.wait().
Status map_remote(RemoteDevice& device, index n, VirtualSum const& kernel);
Status map_remote(RemoteDevice& device, index n, Moments const& kernel);
Status map_remote(RemoteDevice& device, index n, PatternStats const& kernel);
Status map_remote(RemoteDevice& device, index n, WeightedSum const& kernel);

}  // namespace sluice::planes
