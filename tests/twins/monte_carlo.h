// Proton by proton: the march's physics by other means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/proton.h"

namespace sluice::proton {

struct MonteCarloOptions {
    index histories = 100000;
    double step = 0.25;  ///< mm of path, at most
    std::uint64_t seed = 1;
    bool scattering = true, straggling = true;
    int threads = 0;
};

/// MeV a proton deposited in [plane][column], by continuous slowing down, Gaussian scattering and
/// straggling of single protons; no nuclear reactions, and no angle out of the plane. It shares
/// Physics with march() and nothing else. Random numbers are those of history and step, so that
/// threads do not matter but for the order of sums, which is that of blocks of histories.
std::vector<double> monte_carlo(Physics const& physics, Phantom const& phantom, Beam const& beam,
                                MonteCarloOptions const& options);

}  // namespace sluice::proton
