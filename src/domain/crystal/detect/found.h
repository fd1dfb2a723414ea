// The disks that were found in a pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/bragg_vectors.h"

namespace sluice::crystal {

/// In pixels of the pattern; numbers as in BraggVectors.
struct FoundDisk {
    float row, col, intensity, background, var_row, var_col, cov, intensity_error, score;
};

struct FoundPattern {
    std::vector<FoundDisk> disks = {};  ///< brightest first
    stem4d::DiskReason reason = stem4d::DiskReason::not_measured;
};

}  // namespace sluice::crystal
