// Whether what a reconstruction is given belongs together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sluice/ptychography.h"

namespace sluice::stem4d {

/// Fails where the parts of patterns do not belong together: sides of 1 to 4096 pixels, a pattern
/// for each position, a place for each pattern that is a number, bad pixels of one pattern, all
/// patterns here. What takes patterns asks this first; reconstructions of several ranks compare
/// their parts instead.
Status check_patterns(Patterns const& patterns);

/// Rows and columns of the object: all windows and the margin. PtychographyOptions::object has
/// them for each slice.
Result<std::array<index, 2>> ptychography_canvas(Patterns const& patterns,
                                                 PtychographyOptions const& options = {});

}  // namespace sluice::stem4d
