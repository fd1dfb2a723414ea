// PatternFit: the lattice of one pattern, by weighted least squares without its outliers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/crystal/lattice/assigned.h"

namespace sluice::crystal {

struct FitRules {
    stem4d::LatticeBasis basis;  ///< where every pattern starts
    double tolerance = 0;        ///< px, of the first round
    double cut = 4;              ///< standard deviations, of later ones
    index least_disks = 4;
    double variance = 0;  ///< px^2, added to those of all disks
    bool equal = false;   ///< it is the only variance
};

struct PatternLattice {
    stem4d::LatticeReason reason = stem4d::LatticeReason::no_disks;
    stem4d::LatticeBasis at = {};
    std::array<double, 36> covariance{};
    double chi2 = 0;  ///< per degree of freedom; NaN where there is none
    double rms = 0;   ///< px, of the rests in one direction per degree of freedom
    index used = 0, left_out = 0;
    index twice = 0;         ///< disks that share their lattice point with another one
    bool on_a_part = false;  ///< its disks are those of a coarser lattice
};

/// 2 n - 6.
inline double freedom_of(index disks) {
    return static_cast<double>(2 * disks - 6);
}

/// One for each worker: it keeps memory from pattern to pattern, but nothing that is known.
class PatternFit {
  public:
    explicit PatternFit(FitRules const& rules) : rules_(rules) {}
    PatternLattice operator()(stem4d::BraggVectors const& vectors, index pattern);

  private:
    void begin(PatternLattice const& out, double reach);
    stem4d::LatticeReason solve(PatternLattice& out, bool equal);
    bool cut(PatternLattice const& out, double reach);
    stem4d::LatticeReason careful_rounds(PatternLattice& out, double reach);
    stem4d::LatticeReason rounds(PatternLattice& out, double reach);
    PatternLattice from(stem4d::LatticeBasis const& start, std::span<double const> reaches);
    void finish(PatternLattice& out);
    PatternLattice search();
    double worth(PatternLattice const& found) const;
    double least_part(PatternLattice const& found, double stretch) const;
    bool is_likely(PatternLattice const& found) const;

    FitRules rules_;
    Assigned disks_;
    std::vector<std::array<int, 2>> points_;
};

}  // namespace sluice::crystal
