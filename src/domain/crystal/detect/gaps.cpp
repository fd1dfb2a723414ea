// Fills bad pixels with what is around them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/gaps.h"

namespace sluice::crystal {

Gaps::Gaps(std::span<std::uint8_t const> bad, index rows, index cols) {
    auto const good = [&](index r, index c) {
        return !bad[static_cast<std::size_t>(r * cols + c)];
    };
    constexpr std::array<std::array<index, 2>, 4> ways = {{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    for (index i = 0; i < std::ssize(bad); ++i) {
        index const row = i / cols, col = i % cols;
        if (good(row, col)) continue;
        Gap gap{row, col, {}, {}};
        float sum = 0;
        for (std::size_t w = 0; w < ways.size(); ++w)
            for (index d = 1;; ++d) {
                index const r = row + d * ways[w][0], c = col + d * ways[w][1];
                if (r < 0 || c < 0 || r >= rows || c >= cols) break;
                if (!good(r, c)) continue;
                gap.from[w] = {r, c};
                gap.weights[w] = 1 / static_cast<float>(d);
                sum += gap.weights[w];
                break;
            }
        for (float& w : gap.weights) w = sum > 0 ? w / sum : 0;
        gaps_.push_back(gap);
    }
}

void Gaps::fill(float* pattern, index pitch) const {
    for (Gap const& gap : gaps_) {
        float sum = 0;
        for (std::size_t w = 0; w < gap.weights.size(); ++w)
            if (gap.weights[w] > 0)
                sum += gap.weights[w] * pattern[gap.from[w][0] * pitch + gap.from[w][1]];
        pattern[gap.row * pitch + gap.col] = sum;
    }
}

}  // namespace sluice::crystal
