// Joins tallies (Chan, Golub and LeVeque 1983).
// SPDX-License-Identifier: Apache-2.0
#include "nn/tallies.h"

#include <algorithm>

namespace sluice::nn {

Moments Tallies::moments(std::vector<index> const& counts) const {
    auto const width = static_cast<std::size_t>(channels_);
    Moments all{std::vector<double>(width), std::vector<double>(width)};
    double before = 0;
    for (std::size_t part = 0; part < counts.size(); ++part) {
        auto const own = static_cast<double>(counts[part]);
        double const share = own / (before + own), weight = before * share;
        for (std::size_t c = 0; c < width; ++c) {
            double const apart = mean_[part * width + c] - all.mean[c];
            all.mean[c] += apart * share;
            all.variance[c] += squares_[part * width + c] + apart * apart * weight;
        }
        before += own;
    }
    for (double& v : all.variance) v = std::max(0.0, v / before);
    return all;
}

}  // namespace sluice::nn
