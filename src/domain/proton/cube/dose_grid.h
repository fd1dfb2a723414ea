// The dose of beams on the grid of the patient.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/cube/beam_cube.h"

namespace sluice::proton::cube {

/// Sums over beams, on voxels along the axes of the patient's image.
class DoseGrid {
  public:
    /// `spacing`: of x, y and z, or one for all; empty: the image's.
    static Result<double> voxels(Patient const& patient, DoseOptions const& options);
    /// Has room for a dose of each of so many beams, where they are wanted.
    static Result<DoseGrid> create(Patient const& patient, DoseOptions const& options, index beams);

    /// Adds a beam and returns its highest dose, Gy. `alone`: its dose; null: it is not wanted.
    Result<double> add(Patient const& patient, BeamCube const& cube, int threads, Run& run,
                       Volume* alone);
    /// LET where there is a thousandth of the highest dose, errors as % of it, and the dose that is
    /// wanted.
    void finish(PlanDose& to);

  private:
    struct Shape {
        std::vector<double> spacing;
        std::vector<index> shape;
        double voxels = 1;
    };
    static Result<Shape> shape_of(Patient const& patient, DoseOptions const& options);

    Volume dose_, let_, wrong_;
    bool with_let_ = false, with_error_ = false;
    DoseTo to_ = DoseTo::water;

    std::string content() const;

    index rows() const { return dose_.image.shape[0] * dose_.image.shape[1]; }
    /// What a dose to water at a place is multiplied by.
    float factor(Patient const& patient, Rays const& tissues, Place3 const& place) const;
};

}  // namespace sluice::proton::cube
