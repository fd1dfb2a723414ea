// What comes out of a pattern whose lattice was known before.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/fit/scoring.h"
#include "sluice/lattice.h"

namespace sluice::crystal {

struct Refined {
    bool converged = false;
    stem4d::LatticeBasis at = {};
    std::array<double, 36> covariance{};
    double misfit = 0;  ///< what disks miss the lattice by: chi2 per degree of freedom
    double counts = 0;  ///< in all disks
    int steps = 0;
    std::vector<DiskFit> disks = {};  ///< each with its own place, one step from the lattice
};

}  // namespace sluice::crystal
