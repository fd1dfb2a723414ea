// Whether tests look at every case they have, as `./dev test --deep` asks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace sluice {

/// Tests whose cases take seconds each leave out those that lie between others, unless SLUICE_DEEP
/// is set.
inline bool deep_tests() {
    return std::getenv("SLUICE_DEEP") != nullptr;
}

}  // namespace sluice
