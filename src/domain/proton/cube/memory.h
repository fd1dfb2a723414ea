// What the dose of a plan takes in memory: one arithmetic for the work's own check and for plans of
// it. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/cube/plan_sheets.h"

namespace sluice::proton::cube {

/// Bytes of a beam's own grids and pencils, before its kernels are known. Parts of pencils that go
/// aside are not counted.
double beam_bytes(Patient const& patient, PreparedBeam const& beam, DoseOptions const& options);
/// Bytes of the sums on the patient's grid.
double grid_bytes(double voxels, DoseOptions const& options, index beams);

}  // namespace sluice::proton::cube
