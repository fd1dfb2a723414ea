// @Name@ on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/remote.h"
#include "kernel/@name@/kernels.h"

namespace sluice::@name@ {

/// Gives n elements of the kernel to the device; done after device.wait().
Status map_remote(RemoteDevice& device, index n, @Name@ const& kernel);

}  // namespace sluice::@name@
