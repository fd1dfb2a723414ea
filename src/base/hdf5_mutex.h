// One mutex for libhdf5: many builds of it are not thread-safe, and two layers write with it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace sluice {

inline std::recursive_mutex& hdf5_mutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

}  // namespace sluice
