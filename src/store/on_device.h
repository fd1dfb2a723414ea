// OnDevice: a resident scan's frames where a device can reach them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/mirror.h"
#include "kernel/dense/kernels.h"
#include "kernel/planes/tile.h"

namespace sluice::store {

class Resident;

/// One of the two forms has data.
struct OnDevice {
    planes::TileSet tiles = {};
    dense::Frames values = {};
    Mirror memory = {};

    bool is_planes() const { return tiles.base != nullptr; }
};

/// All of it is there when this returns.
Result<std::shared_ptr<OnDevice const>> copy_to(Queue& queue, Resident const& scan);

}  // namespace sluice::store
