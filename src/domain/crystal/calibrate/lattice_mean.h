// The mean lattice of a scan, with its errors, and which of its points disks lie on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {

struct LatticeMean {
    std::array<double, 4> numbers{};  ///< a row, a col, b row, b col, px
    std::array<std::array<double, 4>, 4> covariance{};
    index patterns = 0;  ///< that take part
    index others = 0;    ///< that are fitted and do not

    stem4d::Point at(int h, int k) const {
        return {h * numbers[0] + k * numbers[2], h * numbers[1] + k * numbers[3]};
    }
    Matrix2 columns() const { return {numbers[0], numbers[2], numbers[1], numbers[3]}; }
    /// The covariance of two numbers, by their slopes.
    double carried(std::array<double, 4> const& f, std::array<double, 4> const& g) const;
};
/// Robust: grains and strained places that lie far from the median are left out. The errors come
/// from how patterns differ; of one pattern they are its own. Errors: no lattice was fitted.
Result<LatticeMean> mean_of(stem4d::LatticeFit const& fit);

/// Points (h, k) of the patterns' own lattices, without the origin and of each pair of opposites
/// the one above 0, and how many patterns have a disk on either.
std::map<std::array<int, 2>, index> occupied(stem4d::BraggVectors const& vectors,
                                             stem4d::LatticeFit const& fit);

}  // namespace sluice::crystal
