// Takes a disk's height and background out of its normal equations: what is left is of its place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/fit/fit_kernels.h"
#include "domain/crystal/lattice/normal6.h"

namespace sluice::crystal {

/// What a disk's pixels say of its place, whatever its height and background are.
struct PlaceSums {
    Weight2 weight;                       ///< Fisher's matrix of the place
    double slope_row = 0, slope_col = 0;  ///< of the log-likelihood
    double var_height = 0;                ///< where the place is known
    static constexpr std::size_t most = 8;
    /// Steps of the other unknowns (height is the second) where the place stays, and by how much
    /// less they are for each pixel that it moves.
    std::array<double, most> own{}, by_row{}, by_col{};

    /// The step of the place on its own.
    std::array<double, 2> step() const;
    /// Moves the other unknowns of a model after its place has moved.
    void follow(double rows, double cols, Crop const& crop, Model& model) const;
};

/// Empty where the sums do not determine the other unknowns.
std::optional<PlaceSums> eliminate(ScoreSums const& sums, int unknowns);

}  // namespace sluice::crystal
