// Chunks turned and turned back.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/augment.h"

#include <algorithm>

namespace sluice::music {
namespace {

// Of pairs of channels of n samples each.
void swap_pairs(std::span<float> channels, std::size_t n) {
    for (std::size_t k = 0; k + 2 * n <= channels.size(); k += 2 * n)
        std::swap_ranges(channels.begin() + static_cast<index>(k),
                         channels.begin() + static_cast<index>(k + n),
                         channels.begin() + static_cast<index>(k + n));
}

}  // namespace

Status Augmented::separate(std::span<float const> mix, std::span<float> out, index batch) {
    auto const n = static_cast<std::size_t>(samples());
    mix_.resize(mix.size());
    out_.resize(out.size());
    SLUICE_CHECK(network_.separate(mix, out, batch));

    std::ranges::copy(mix, mix_.begin());
    swap_pairs(mix_, n);
    SLUICE_CHECK(network_.separate(mix_, out_, batch));
    swap_pairs(out_, n);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += out_[k];

    std::ranges::transform(mix, mix_.begin(), [](float v) { return -v; });
    SLUICE_CHECK(network_.separate(mix_, out_, batch));
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = (out[k] - out_[k]) / 3.0f;
    return {};
}

}  // namespace sluice::music
