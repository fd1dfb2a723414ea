// Why values of a map are missing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/scan_map.h"

namespace sluice {

/// The reason for each value that is NaN; empty where none is.
std::vector<Missing> missing_of(std::span<double const> values, Missing reason);

}  // namespace sluice
