// The dose of beams on the grid of the patient.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/cube/beam_cube.h"

namespace sluice::proton::cube {

/// Sums over beams, on voxels along the axes of the patient's image.
class DoseGrid {
  public:
    /// `spacing`: of x, y and z, or one for all; empty: the image's.
    static Result<DoseGrid> create(Patient const& patient, DoseOptions const& options);

    /// Adds a beam and returns its highest dose, Gy.
    Result<double> add(BeamCube const& cube, int threads, Run& run);
    index voxels() const { return dose_.image.size(); }
    index rows() const { return dose_.image.shape[0] * dose_.image.shape[1]; }

    /// LET where there is a thousandth of the highest dose, errors as % of it, and the dose that is
    /// wanted.
    void finish(Patient const& patient, DoseOptions const& options, PlanDose& to);

  private:
    void by_tissue(Patient const& patient, DoseOptions const& options, PlanDose& to);
    Volume dose_, let_, wrong_;
    bool with_let_ = false, with_error_ = false;
};

}  // namespace sluice::proton::cube
