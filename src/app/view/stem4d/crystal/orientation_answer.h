// What is told of orientations (docs/protocol.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/crystal/orientations.h"

namespace sluice::app {

/// `colors` [3][row][col][rgb], `phase`, `reason`, `disk_reason`, `probability`, `error`
/// [row][col], `euler` [row][col][3]; `legend N` [row][col][rgb] of each phase.
Result<Answer> pack_orientations(ScanOrientations const& found);
/// `spots` [spot][candidate, row, col, intensity, h, k, l] of the first candidates.
Answer pack_match(ScanOrientations const& of, stem4d::PatternOrientations const& found, index row,
                  index col);

}  // namespace sluice::app
