// Dose volume histograms of structures: contours of an RT structure set in a dose of three axes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/proton_metrics.h"
#include "sluice/structures.h"
#include "sluice/volume.h"

namespace sluice::proton {

struct StructureDvhOptions {
    /// Points along each axis of an element of the dose, where it is interpolated; 1: its middle
    /// alone. 0: four, and more where a structure has fewer than 80 across; fewer of structures
    /// that would have more than 2^23.
    int samples = 0;
};

struct StructureDvh {
    Dvh dvh;                ///< of what lies in the dose's grid; `area` is in its elements
    double volume_cm3 = 0;  ///< of the whole structure: that of volume_cm3()
    double inside_cm3 = 0;  ///< of what lies in the dose's grid
    int samples = 1;        ///< those that were taken
};

/// The histogram of a structure. Each element of the dose counts by the part of it that is in the
/// structure (structure_parts()), or each sample by the part of its box; samples are cubic along
/// each axis, kept between their neighbours. Errors: those of structure_parts(), a structure that
/// has nothing in the grid, doses that are not finite in it, more than 2^27 samples.
Result<StructureDvh> structure_dvh(Volume const& dose, Structure const& structure,
                                   StructureDvhOptions const& options = {});

}  // namespace sluice::proton
