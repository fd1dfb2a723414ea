// How near the disks of patterns are to each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "domain/crystal/detect/found.h"

namespace sluice::crystal {

/// The distance to the nearest neighbour that one disk in twenty falls short of; empty where fewer
/// than ten disks have one.
std::optional<double> neighbour_distance(std::span<FoundPattern const> patterns);

}  // namespace sluice::crystal
