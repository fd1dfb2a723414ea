// The derivative of a loss by the modelled counts of a pixel, and the loss itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "domain/ptychography/errors.h"
#include "domain/ptychography/step/poisson.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Keeps quotients of nothing finite. Counts stay what they are: the root of as little is 3e-5,
/// which all dark pixels together make R lower by.
constexpr double dark = 1e-9;

/// Near the answer a loss curves this many times as much as that of amplitudes: 1 - I / M is twice
/// 1 - sqrt(I / M), and 2 (M - I) / (I + 1) four times.
inline double curvature_of(stem4d::Likelihood likelihood) {
    switch (likelihood) {
        case stem4d::Likelihood::amplitude:
            return 1;
        case stem4d::Likelihood::poisson:
            return 2;
        case stem4d::Likelihood::gaussian:
            return 4;
        case stem4d::Likelihood::automatic:
            break;
    }
    return 1;
}

/// dL/dIc of one pixel with `model` counts where `counts` were measured, and its part of the sums.
/// `count`: the value of one count.
template <class Real>
Real weigh(stem4d::Likelihood likelihood, Real model, Real counts, Errors& sums, Real count = 1) {
    Real const apart = std::sqrt(model) - std::sqrt(counts);
    sums.amplitude += static_cast<double>(apart * apart);
    sums.counts += static_cast<double>(counts);
    sums.model += static_cast<double>(model);
    sums.difference += static_cast<double>((model - counts) * (model - counts));
    sums.squares += static_cast<double>(counts * counts);
    Real const tiny = static_cast<Real>(dark);
    switch (likelihood) {
        case stem4d::Likelihood::amplitude: {
            Real const a = std::sqrt(model + tiny) - std::sqrt(counts);
            sums.loss += static_cast<double>(a * a);
            return a / std::sqrt(model + tiny);
        }
        case stem4d::Likelihood::poisson: {
            auto const pixel =
                poisson_pixel(model, counts, count, [](Real x) -> Real { return std::log(x); });
            sums.loss += static_cast<double>(pixel.loss);
            return pixel.weight;
        }
        case stem4d::Likelihood::gaussian: {
            Real const d = model - counts;
            sums.loss += static_cast<double>(d * d / (counts + 1));
            return 2 * d / (counts + 1);
        }
        case stem4d::Likelihood::automatic:
            break;
    }
    return 0;
}

}  // namespace sluice::ptycho
