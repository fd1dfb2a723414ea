// The sum of a part of an array, in an order that does not depend on the processor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::proton::marching {

/// In eight sums side by side, which a processor can add at once.
double sum_of(auto const& values, index from, index n) {
    double part[8] = {};
    index i = 0;
    for (; i + 8 <= n; i += 8)
        for (index k = 0; k < 8; ++k)
            part[k] += static_cast<double>(values[static_cast<std::size_t>(from + i + k)]);
    for (; i < n; ++i) part[0] += static_cast<double>(values[static_cast<std::size_t>(from + i)]);
    return ((part[0] + part[4]) + (part[1] + part[5])) +
           ((part[2] + part[6]) + (part[3] + part[7]));
}

}  // namespace sluice::proton::marching
