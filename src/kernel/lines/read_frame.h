// One frame out of lines, as counts: what a probe shows while it is dragged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/lines.h"

namespace sluice::lines {

/// Writes frame 0 .. 511 of a unit to out[row][col]; looks at every line.
void read_frame(Unit unit, index frame, double* out);

}  // namespace sluice::lines
