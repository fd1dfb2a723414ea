// The variance of the root of a Poisson number about the root of its mean.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/poisson_floor.h"

#include <cmath>

namespace sluice::ptycho {

double root_noise(double mean) {
    if (!(mean > 0)) return 0;
    // A variance of 1/4 + 3/(32 m), and the square of the mean's shift, 1/(64 m).
    if (mean > 40) return 0.25 + 7 / (64 * mean);
    double sum = 0, chance = std::exp(-mean);
    for (int n = 1; n < 200; ++n) {
        chance *= mean / n;
        sum += chance * std::sqrt(static_cast<double>(n));
    }
    return 2 * mean - 2 * std::sqrt(mean) * sum;
}

}  // namespace sluice::ptycho
