// SlowMap: a map of the network in double and in PyTorch's order, for the slow twin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/view.h"

namespace sluice::music {

/// [channels][frames][bins]
struct SlowMap {
    index channels = 0, frames = 0, bins = 0;
    std::vector<double> values = {};

    static SlowMap of(index channels, index frames, index bins) {
        SlowMap m{channels, frames, bins};
        m.values.resize(static_cast<std::size_t>(channels * frames * bins));
        return m;
    }
    double& at(index c, index t, index f) {
        return values[static_cast<std::size_t>((c * frames + t) * bins + f)];
    }
    double at(index c, index t, index f) const {
        return values[static_cast<std::size_t>((c * frames + t) * bins + f)];
    }
};

}  // namespace sluice::music
