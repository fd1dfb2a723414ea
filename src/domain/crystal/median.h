// The median of numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

namespace sluice::crystal {

/// The upper one of an even count; 0 of none.
inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    auto const middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace sluice::crystal
