// Fisher's scoring of one disk, with guards; its errors and its score against no disk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/fit/crops.h"

namespace sluice::crystal {

/// A disk and its surroundings. Slopes are those of Model.
struct DiskState {
    double row = 0, col = 0;
    Model model = {};
};

struct DiskFit {
    DiskState disk;
    bool converged = false;  ///< it ended near its start, and its Fisher matrix is positive
    double var_row = 0, var_col = 0, cov = 0, var_height = 0;
    double score = 0;  ///< twice the gain in log-likelihood over no disk
};

/// Simulations say by how much the errors of weak disks are larger than their bound. `width` is
/// that of the template's edge.
void inflate(double width, DiskFit& fit);

/// Refines a disk from its start. `crop` is a worker's own room.
DiskFit fit_disk(FitKernels const& kernels, Tables const& tables, Padded const& pattern,
                 CropRoom& crop, DiskState start, Part part = Part::whole);

}  // namespace sluice::crystal
