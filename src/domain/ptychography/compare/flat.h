// The most common phase gradient of a plane: under it what is flat, such as vacuum, is flat.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <span>

#include "sluice/view.h"

namespace sluice::ptycho {

/// rad from one number to the next, down and along. z is [row][col], and 0 where a number does not
/// count. It begins at `start`, less than half a turn away. What is steeper or shallower elsewhere
/// does not pull, as long as a quarter of the plane has that gradient and no other part has one as
/// common.
std::array<double, 2> common_gradient(std::span<std::complex<double> const> z, index rows,
                                      index cols, std::array<double, 2> start);

}  // namespace sluice::ptycho
