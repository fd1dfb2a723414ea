// When mPIE's velocity moves object and probe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "base/splitmix.h"
#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// Whether it does after group g of so many patterns: by chance for each pattern, which only the
/// seed decides.
template <class Real>
bool drifts(Job<Real> const& job, std::size_t g, index patterns) {
    double const chance =
        1 - std::pow(1 - job.stage.momentum_chance, static_cast<double>(patterns));
    std::uint64_t const draw = splitmix::mix(splitmix::mix(job.seed + 1) +
                                             splitmix::mix(static_cast<std::uint64_t>(job.round)) +
                                             splitmix::golden * (g + 1));
    return static_cast<double>(draw >> 11) * 0x1p-53 < chance;
}

}  // namespace sluice::ptycho
