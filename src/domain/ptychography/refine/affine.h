// Affine maps of positions: the best one for moves that are wanted, and what a map is made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Of displacements d, gradient . d + d . curvature d / 2.
struct Quadratic {
    std::array<double, 2> gradient = {};   ///< (row, col)
    std::array<double, 3> curvature = {};  ///< (row row, row col, col col)
};

/// The displacements matrix (r - middle) + shift that make the sum of the quadratics least.
struct AffineMap {
    std::array<double, 4> matrix = {};  ///< (row row, row col, col row, col col)
    std::array<double, 2> shift = {}, middle = {};

    std::array<double, 2> turn(stem4d::Position p) const {
        double const r = p.row - middle[0], c = p.col - middle[1];
        return {matrix[0] * r + matrix[1] * c, matrix[2] * r + matrix[3] * c};
    }
};
AffineMap best_affine(std::span<stem4d::Position const> places, std::span<Quadratic const> wanted);

/// "scale 1.0200, rotation 1.000 degrees, ...": what takes `before` to `after`, and the root mean
/// square of what it leaves.
std::string describe_affine(std::span<stem4d::Position const> before,
                            std::span<stem4d::Position const> after);

}  // namespace sluice::ptycho
