// Emptying the system's cache of a file, and asking what it still holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice::slide {

/// Asks the system to forget a file, after what was written of it is on the disk; the share of its
/// pages (0 to 1) that are in memory all the same. Systems that do not tell count as 1.
Result<double> forget_file(std::string const& path);

/// From this share on, a file that should be read from the disk is not.
inline constexpr double mostly_cached = 0.1;

}  // namespace sluice::slide
