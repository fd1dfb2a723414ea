// The pixels of a mask as stretches of rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernel/dense/kernels.h"
#include "kernel/planes/cpu.h"

namespace sluice::stem4d {

/// Stretches of `weights` [row][col] that are not 0, in ascending order.
std::vector<dense::Run> pixel_runs(std::span<float const> weights, planes::Grid grid);

}  // namespace sluice::stem4d
