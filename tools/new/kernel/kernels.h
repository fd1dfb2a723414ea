// @Name@: one sentence on what it computes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::@name@ {

/// The sum of each frame: element i = frame. Exact.
struct @Name@ {
    std::uint16_t const* values;  ///< [frame][pixel]
    index pixels;
    std::uint64_t* out;  ///< [frame]

    SLUICE_HD void operator()(index i) const {
        std::uint16_t const* const frame = values + i * pixels;
        std::uint64_t sum = 0;
        for (index k = 0; k < pixels; ++k) sum += frame[k];
        out[i] = sum;
    }
};

}  // namespace sluice::@name@
