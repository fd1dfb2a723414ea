// Robust statistics: medians, and Tukey's weights.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sluice/view.h"

namespace sluice::crystal {

/// The mean of the two in the middle; 0 of none.
inline double middle_of(std::vector<double> values) {
    if (values.empty()) return 0;
    auto const n = std::ssize(values);
    auto const middle = values.begin() + n / 2;
    std::nth_element(values.begin(), middle, values.end());
    if (n % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// A standard deviation by the median distance from 0.
inline double spread_of(std::vector<double> values) {
    for (double& v : values) v = std::abs(v);
    return 1.4826 * middle_of(std::move(values));
}

/// 1 at 0, and 0 from `cut` on.
inline double biweight(double x, double cut) {
    double const u = x / cut, left = 1 - u * u;
    return left > 0 ? left * left : 0;
}

}  // namespace sluice::crystal
