// What a phantom is made of, as maps.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sluice/proton.h"

namespace sluice::proton {

std::vector<float> density_map(Phantom const& phantom) {
    bool const alike = phantom.map.empty();
    if (alike && phantom.materials[0].density == 1) return {};
    std::vector<float> out(static_cast<std::size_t>(phantom.planes * phantom.columns),
                           static_cast<float>(phantom.materials[0].density));
    if (!alike)
        std::ranges::transform(phantom.map, out.begin(), [&](std::uint16_t material) {
            return static_cast<float>(phantom.materials[material].density);
        });
    return out;
}

}  // namespace sluice::proton
