// A target that is grown to all sides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sluice/view.h"

namespace sluice::proton::target {

/// [z][y][x], 1 where the middle of an element lies within `margin` mm of the middle of one that
/// is not 0 in `inside`. `spacing`: x first.
std::vector<std::uint16_t> grown(std::vector<std::uint16_t> const& inside,
                                 std::vector<index> const& shape,
                                 std::vector<double> const& spacing, double margin);

}  // namespace sluice::proton::target
