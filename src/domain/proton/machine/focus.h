// The width of a beam over its way, as moments on one plane.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace sluice::proton {

/// A width along the way (mm downstream of the plane) and the Gaussian that drifts to it: the
/// square of its sigma is sigma^2 + 2 covariance z + divergence^2 z^2.
struct Focus {
    double sigma = 0, divergence = 0, covariance = 0;
    double residual = 0, residual_at = 0;  ///< where its widths are most off, mm
};

/// The one that is nearest to the widths, by least squares; exact where there is such a one. One
/// width is a parallel beam; between two the width goes linearly. There is at least one width.
Focus focus_of(std::vector<double> const& z, std::vector<double> const& sigma);

}  // namespace sluice::proton
