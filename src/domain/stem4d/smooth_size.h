// Sizes whose Fourier transforms are fast.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::stem4d {

/// The next number, `n` itself or above, without prime factors above 5.
inline index smooth_size(index n) {
    for (;; ++n) {
        index left = n;
        for (index const p : {2, 3, 5})
            while (left % p == 0) left /= p;
        if (left == 1) return n;
    }
}

}  // namespace sluice::stem4d
