// Packs disks and strain into answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/crystal/strains.h"

namespace sluice::app {

/// `disks` [disk][row, col, intensity, background, var_row, var_col, cov_row_col, intensity_error,
/// score] of the first pattern, and the words of its reason.
Answer pack_disks(DiskPlan const& plan, stem4d::BraggVectors const& vectors);
/// `maps` and `errors` [map][row][col], `lattices` [row][col][6], `used`, `reason` and
/// `disk_reason` [row][col].
Answer pack_strain(ScanLattices const& found, stem4d::StrainMaps const& maps);

}  // namespace sluice::app
