// Normal6: the normal equations of a lattice's six numbers, summed over weighted disks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sluice/lattice.h"

namespace sluice::crystal {

/// A disk's inverse covariance.
struct Weight2 {
    double rr = 0, rc = 0, cc = 0;
};

/// Unknowns are origin, a and b, each (row, col); a disk at indices (h, k) has the row (1, h, k).
struct Normal6 {
    /// Products 1, h, k, hh, hk, kk times each element of the weight.
    std::array<double, 6> rr{}, rc{}, cc{};
    std::array<double, 6> right{};    ///< (row, col) for 1, h, k
    std::array<double, 6> indices{};  ///< the products without weights: whole numbers, exact

    void add(Weight2 const& w, double h, double k, double rest_row, double rest_col) {
        std::array<double, 6> const p{1, h, k, h * h, h * k, k * k};
        double const t = w.rr * rest_row + w.rc * rest_col, u = w.rc * rest_row + w.cc * rest_col;
        for (std::size_t i = 0; i < 6; ++i) {
            rr[i] += p[i] * w.rr, rc[i] += p[i] * w.rc, cc[i] += p[i] * w.cc;
            indices[i] += p[i];
        }
        for (std::size_t i = 0; i < 3; ++i) right[2 * i] += p[i] * t, right[2 * i + 1] += p[i] * u;
    }
    /// Whether the indices of all disks lie on one line.
    bool collinear() const;
    /// The step of the unknowns, and the inverse of the matrix. False: the matrix has none.
    bool solve(std::array<double, 6>& step, std::array<double, 36>& inverse) const;
};

}  // namespace sluice::crystal
