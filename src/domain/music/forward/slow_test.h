// The slow twin of a whole network: plain loops over PyTorch's own order of dimensions, in double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "domain/music/forward/settings.h"

namespace sluice::music {

/// [channels][height][width]
struct SlowTensor {
    index channels = 0, height = 0, width = 0;
    std::vector<double> values;

    SlowTensor(index c, index h, index w)
        : channels(c), height(h), width(w), values(static_cast<std::size_t>(c * h * w)) {}
    double& at(index c, index h, index w) {
        return values[static_cast<std::size_t>((c * height + h) * width + w)];
    }
    double at(index c, index h, index w) const {
        return values[static_cast<std::size_t>((c * height + h) * width + w)];
    }
};

struct SlowModel {
    Network network;
    Settings settings;
    std::map<std::string, std::vector<double>> tensors;
};

/// [stem][channel][sample] of a mix [channel][sample]; `stages` gets what goes between, with
/// height = time and width = frequency, except "mix", "first_conv", "gate" and "final_conv".
std::vector<double> separate_slowly(SlowModel const& model, std::vector<float> const& mix,
                                    index frames, std::map<std::string, SlowTensor>& stages);

}  // namespace sluice::music
