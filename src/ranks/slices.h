// Slices: which part of an array each rank adds up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sluice/view.h"

namespace sluice {

/// The first of n numbers that is rank r's, for r in [0, ranks]; that of r + 1 is its end.
inline index slice_begin(index n, int r, int ranks) {
    return n / ranks * r + n % ranks * r / ranks;
}

}  // namespace sluice
