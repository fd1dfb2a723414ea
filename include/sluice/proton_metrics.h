// Numbers out of doses: spreads of planes and dose volume histograms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/proton.h"

namespace sluice::proton {

/// Standard deviation of the Gaussian that fits the middle of each plane's deposit, mm: of the
/// columns around the highest with at least `part` of it, less a column's own. NaN where these are
/// fewer than 3 or not Gaussian. Unlike lateral_sigma it does not know of far tails.
std::vector<double> core_sigma(MarchResult const& result, double part = 0.2);

/// A narrow and a wide Gaussian that together are a plane's profile: what scattering spreads, and
/// the halo of nuclear reactions.
struct TwoGaussians {
    double sigma = 0, halo_sigma = 0;  ///< standard deviations, mm
    double halo_weight = 0;            ///< part of both that the wide one is
};
/// Of each plane: the narrow one fits the middle (as core_sigma), the wide one what lies farther
/// from it than 2.5, 3, 3.5 ... of its standard deviations and before the nearer edge, by the
/// logarithm, down to 1e-4 of what lies before that edge. NaN, NaN and 0 where there is no middle;
/// NaN and 0 for the halo where less than 1e-4 is so far out, or where it is not twice as wide. For
/// a single beam: of several nothing is a Gaussian.
std::vector<TwoGaussians> two_gaussians(MarchResult const& result);

/// A cumulative dose volume histogram, without bins: the doses and areas of pixels as they are.
struct Dvh {
    double area = 0;  ///< of the mask, in pixels
    double least = 0, mean = 0, most = 0;
    /// All doses, descending, and the part of the area that has at least each.
    std::vector<double> dose, part;

    /// The highest dose that `part` (0 to 1) of the area has: D95 is coverage(0.95).
    double coverage(double part) const;
    /// The part of the area that has at least a dose: V20 is volume(20).
    double volume(double dose) const;
};
/// `mask` says for each pixel what part of it counts, 0 to 1. Errors: other sizes, nothing in the
/// mask, doses that are not finite in it.
Result<Dvh> dvh(std::span<float const> dose, std::span<float const> mask);

}  // namespace sluice::proton
