// The kernel that patterns are correlated with: the template less its mean, and nothing beyond.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/probe_template.h"
#include "sluice/view.h"

namespace sluice::crystal {

/// Values (row, col) from -reach to reach. Correlated with a binned pattern it gives the height of
/// the template there, in counts per pixel that is not binned.
struct KernelImage {
    index reach = 0;
    std::vector<double> values;  ///< [2 reach + 1][2 reach + 1]

    double at(index row, index col) const {
        return values[static_cast<std::size_t>((row + reach) * (2 * reach + 1) + col + reach)];
    }
};

/// It has no mean over the pixels within `radius`, so that a flat background gives 0. The pattern
/// has pixels of detector_bin x detector_bin pixels of the template; the radius is in those of the
/// pattern.
KernelImage kernel_image(stem4d::ProbeTemplate const& probe, double radius, index bin,
                         index detector_bin);

}  // namespace sluice::crystal
