// Frequencies of a transform by their places, for hosts and devices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::fft {

/// i-th frequency of n, in cycles per window: 0, 1, ... , -1.
SLUICE_HD index frequency(index i, index n) {
    return i < (n + 1) / 2 ? i : i - n;
}

}  // namespace sluice::fft
