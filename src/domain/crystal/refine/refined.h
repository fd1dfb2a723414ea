// What comes out of a pattern whose lattice was known before.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/fit/scoring.h"
#include "sluice/lattice.h"

namespace sluice::crystal {

/// Twice the log-likelihood that a lattice may still gain when it is said to have converged. Of
/// bright disks the tables' phases make it jump by some tenths in the end.
inline double enough_after(int steps) {
    return steps < 6 ? 0.02 : 0.3;
}

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
