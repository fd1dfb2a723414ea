// Emptying the system's cache of a file, and asking what it still holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice::slide {

/// Asks the system to drop a file from its cache, after writes are on the disk; returns the share
/// of its pages (0 to 1) that stay in memory, 1 where the system does not say.
Result<double> forget_file(std::string const& path);

/// From this share on, a file that should be read from the disk is not.
inline constexpr double mostly_cached = 0.1;

}  // namespace sluice::slide
