// Height and background by the correlation with the template.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/start_model.h"

#include <algorithm>

namespace sluice::crystal {
namespace {

// One count of the shape's own keeps a dark ring from meaning that there is no background.
double start_of_background(KernelSums const& sums, bool shape) {
    double const counts = std::max(sums.ring, 0.0);
    return shape ? (counts + 1) / (sums.ring_shape + 1)
                 : std::max(counts, 0.5) / std::max(sums.ring_shape, 1.0);
}

}  // namespace

void start_model(KernelSums const& sums, Crop const& crop, Model& m) {
    m.background = std::max(start_of_background(sums, crop.shape != nullptr), 1e-4);
    double const under =
        m.background * static_cast<double>(crop.shape ? crop.shape[crop.pixels / 2] : 1.0F);
    m.height = std::max(sums.counts / std::max(sums.norm, 1e-9), 0.02 * under);
}

}  // namespace sluice::crystal
