// Lattice: two vectors and an origin that the disks of each pattern lie on, with covariances.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/bragg_vectors.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Disks lie at origin + h a + k b.
struct LatticeBasis {
    Point origin, a, b;  ///< in pixels of the full detector
};
enum class LatticeReason : std::uint8_t {
    fitted,
    no_disks,       ///< the pattern has none; BraggVectors::reason says why
    too_few,        ///< fewer than `least_disks` lie near the lattice
    collinear,      ///< those that do lie on one line
    not_converged,  ///< the fit moved away by more than half a vector
    other_lattice,  ///< its disks lie on another one: near this one are less than half of them, as
                    ///< many as chance puts there, or those that a coarser lattice shares with it
    two_lattices    ///< a sixth of its disks share their lattice point with another disk
};
/// As in "too few disks near the lattice".
std::string_view name_of(LatticeReason reason);

struct LatticeOptions {
    double tolerance =
        0;  ///< px from a lattice point in the first round; 0: a fifth of the shorter vector
    double cut = 4;  ///< standard deviations, in later rounds
    index least_disks = 4;
    /// Adds sigma_sys^2 to all variances so that the scan's median chi2 is 1. Where the disks have
    /// no variances it is always their only one.
    bool model_variance = true;
};
struct LatticeFit {
    std::array<index, 2> scan_shape{};
    /// [pattern][{origin row, col, a row, col, b row, col}]; NaN where `reason` says why. The
    /// origin is the lattice point nearest to that of the basis.
    Array<double> values;
    Array<double> covariance;  ///< [pattern][6][6]
    /// [pattern] per degree of freedom, sigma_sys included; NaN where there is no such degree.
    std::vector<double> chi2;
    std::vector<index> used, left_out;  ///< [pattern] disks
    std::vector<LatticeReason> reason;  ///< [pattern]
    double sigma_sys = 0;               ///< px, added to every disk in both directions
    std::vector<std::string> notes;
};

/// Two short vectors that index the disks of the whole scan. Errors: fewer than three places with
/// disks; all on a line; no basis that explains them.
Result<LatticeBasis> find_basis(BraggVectors const& vectors,
                                std::vector<std::string>* notes = nullptr);
Result<LatticeFit> fit_lattice(BraggVectors const& vectors, LatticeBasis const& basis,
                               LatticeOptions const& options = {}, Options const& run = {});

}  // namespace sluice::stem4d
