// Sends a kernel to whichever remote device was chosen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/map.h"

/// SLUICE_MAP_REMOTE(Kernel, cuda) defines map_remote(device, n, Kernel) in the namespace it stands
/// in; `cuda` is a function (n, kernel) that launches on the GPU.
#define SLUICE_MAP_REMOTE(Type, cuda)                                      \
    Status map_remote(RemoteDevice& device, index n, Type const& kernel) { \
        if (auto* fake = dynamic_cast<FakeDevice*>(&device)) {             \
            launch::map(*fake, n, kernel);                                 \
            return {};                                                     \
        }                                                                  \
        return cuda(n, kernel);                                            \
    }
