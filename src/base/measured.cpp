// Median, quartiles and extremes.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/measured.h"

#include <algorithm>

namespace sluice {

Spread spread_of(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    std::size_t const last = values.size() - 1;
    // The value at `quarters` quarters of the way, in whole numbers so that no index is rounded.
    auto const at = [&](std::size_t quarters) {
        std::size_t const whole = last * quarters / 4, rest = last * quarters % 4;
        double const low = values[whole], high = values[std::min(whole + 1, last)];
        return rest == 2 ? (low + high) / 2 : low + (high - low) * static_cast<double>(rest) / 4;
    };
    return {values.front(), at(2), values.back(), at(1), at(3)};
}

}  // namespace sluice
