// Devices by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bind/errors.h"
#include "sluice/device.h"

namespace sluice::python {

inline Device device_named(std::string const& name, int threads) {
    if (threads < 0)
        raise({Code::invalid_argument, "threads is " + std::to_string(threads) +
                                           "; it is at least 1, or 0 for one per processor"});
    return unwrap(Device::named(name, threads));
}

}  // namespace sluice::python
