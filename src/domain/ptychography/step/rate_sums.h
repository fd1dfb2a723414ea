// What a wave's way from slice to slice says of their distance and of the specimen's tilt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sluice/view.h"

namespace sluice::ptycho {

/// Sums over a spectrum, by rates of distance, tilt along rows and tilt along columns.
struct RateSums {
    double power = 0;       ///< of the wave
    double slope[3] = {};   ///< of -2 Im(conj(gradient) H wave) times the rate
    double mean[3] = {};    ///< of the wave's power times the rate
    double square[3] = {};  ///< of the wave's power times the rate's square
};

/// Adds what one of `parts` propagations gives. d(H F phi) = i rate H F phi, and dL = 2 Re
/// <gradient, that>. A mean rate is a phase of the whole wave, which no detector sees. The squared
/// length of a sum of n is at most n times that of its parts.
template <class Gradients>
void add_rates(RateSums const& sums, index parts, Gradients& out) {
    auto const reach = [&](int i) {
        if (!(sums.power > 0)) return 0.0;
        double const spread = sums.square[i] - sums.mean[i] * sums.mean[i] / sums.power;
        return static_cast<double>(parts) * std::max(spread, 0.0);
    };
    out.slice += sums.slope[0];
    out.slice_reach += reach(0);
    for (int i : {0, 1}) {
        auto const axis = static_cast<std::size_t>(i);
        out.tilt[axis] += sums.slope[i + 1];
        out.tilt_reach[axis] += reach(i + 1);
    }
}

}  // namespace sluice::ptycho
