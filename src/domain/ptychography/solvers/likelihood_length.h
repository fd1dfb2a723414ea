// How long gradients of a likelihood are, beside those of amplitudes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Near the answer the gradients of the other likelihoods are so many times as long as the waves'
/// error: 1 - I / M is twice 1 - sqrt(I / M), and 2 (M - I) / (I + 1) four times. The inverse.
inline double length_of(stem4d::Likelihood likelihood) {
    switch (likelihood) {
        case stem4d::Likelihood::amplitude:
            return 1;
        case stem4d::Likelihood::poisson:
            return 0.5;
        case stem4d::Likelihood::gaussian:
            return 0.25;
    }
    return 1;
}

}  // namespace sluice::ptycho
