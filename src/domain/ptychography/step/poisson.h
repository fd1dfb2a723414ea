// Poisson's likelihood of a pixel, bounded where a model is much too dark.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "sluice/view.h"

namespace sluice::ptycho {

/// M - I log M pulls at a wave by (1 - I / M) Psi, which has no bound: one count where the model is
/// nearly 0 moves a pattern more than all other pixels. So a ten-thousandth of a count is added to
/// both. Weights stay linear in I: noise has no mean pull, however few the counts are. Larger
/// values cost detail where pixels hold fewer counts than that: at 1e3 electrons a square angstrom,
/// a hundredth leaves 68 mrad of error where this leaves 59 (bench/ptychography/electrons.py).
template <class Real>
constexpr Real added_counts = static_cast<Real>(0.0001);

/// With u = sqrt(I / M), 1 - I / M is (1 - u)(1 + u): the weight of amplitudes times a factor. A
/// model below (I - 4) / 9 is not too dark by noise. There the factor stays what it is at that
/// bound, so that the loss goes on as one of amplitudes.
template <class Real>
SLUICE_HD Real darkest_by_noise(Real counts, Real count) {
    Real const darkest = (counts - 4 * count) / 9;
    return darkest > 0 ? darkest : 0;
}

/// dL/dM of a pixel, and its loss.
template <class Real>
struct PoissonPixel {
    Real weight, loss;
};

/// `count`: the value of one count.
template <class Real, class Logarithm>
SLUICE_HD PoissonPixel<Real> poisson_pixel(Real model, Real counts, Real count,
                                           Logarithm const& logarithm) {
    Real const by = added_counts<Real> * count;
    Real const m = model + by, i = counts + by, darkest = darkest_by_noise(counts, count) + by;
    Real const bend = m > darkest ? m : darkest;
    Real const u = std::sqrt(i / m), factor = std::sqrt(i / bend);
    Real const beyond = m * (1 - u) * (1 - u) - bend * (1 - factor) * (1 - factor);
    return {(1 - u) * (1 + factor), bend - i * logarithm(bend) + (1 + factor) * beyond};
}

}  // namespace sluice::ptycho
