// The disks that were found in a pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/lattice.h"

namespace sluice::crystal {

/// In pixels of the pattern; numbers as in BraggVectors.
struct FoundDisk {
    float row, col, intensity, background, var_row, var_col, cov, intensity_error, score;
};

/// The lattice of a pattern whose disks were fitted at once: their places are not independent.
struct JointLattice {
    stem4d::LatticeBasis at;  ///< in pixels of the pattern
    std::array<double, 36> covariance;
    double misfit;
};

struct FoundPattern {
    std::vector<FoundDisk> disks = {};  ///< brightest first
    stem4d::DiskReason reason = stem4d::DiskReason::not_measured;
    std::optional<JointLattice> lattice = {};
};

}  // namespace sluice::crystal
