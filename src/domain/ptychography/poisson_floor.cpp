// The variance of the root of a Poisson number about the root of its mean.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/poisson_floor.h"

#include <cmath>
#include <vector>

namespace sluice::ptycho {

namespace {

constexpr double largest = 40;  // of the means in the table
constexpr int steps = 2048;     // along the root of the mean: linear between them to 1e-6

double exact(double mean) {
    double sum = 0, chance = std::exp(-mean);
    for (int n = 1; n < 200; ++n) {
        chance *= mean / n;
        sum += chance * std::sqrt(static_cast<double>(n));
    }
    return 2 * mean - 2 * std::sqrt(mean) * sum;
}

std::vector<double> make_table() {
    std::vector<double> table;
    for (int i = 0; i <= steps + 1; ++i)
        table.push_back(exact(largest * i * i / (static_cast<double>(steps) * steps)));
    return table;
}

}  // namespace

double root_noise(double mean) {
    if (!(mean > 0)) return 0;
    // A variance of 1/4 + 3/(32 m), and the square of the mean's shift, 1/(64 m).
    if (mean >= largest) return 0.25 + 7 / (64 * mean);
    static std::vector<double> const table = make_table();
    double const at = std::sqrt(mean / largest) * steps;
    auto const i = static_cast<std::size_t>(at);
    double const part = at - static_cast<double>(i);
    return table[i] * (1 - part) + table[i + 1] * part;
}

}  // namespace sluice::ptycho
