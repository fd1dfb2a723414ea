// Sums in a buffer whose first sample moves on.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/overlap_add.h"

#include <algorithm>

#include "sluice/result.h"

namespace sluice::music {

OverlapAdd::OverlapAdd(index lanes, index samples, std::optional<float> divisor)
    : lanes_(lanes),
      capacity_(samples),
      divisor_(divisor),
      sums_(static_cast<std::size_t>(lanes * samples)),
      weights_(static_cast<std::size_t>(samples)) {}

void OverlapAdd::add(index begin, std::span<float const> chunk, index stride,
                     std::span<float const> weights) {
    index const skip = std::max(index{0}, first_ - begin);
    index const n = std::ssize(weights) - skip;
    if (n <= 0) return;
    index const at = begin + skip - first_;
    expects(at + n <= capacity_);
    float const* const w = weights.data() + skip;
    for (index lane = 0; lane < lanes_; ++lane) {
        float const* const x = chunk.data() + lane * stride + skip;
        float* const sum = sums_.data() + lane * capacity_ + at;
        for (index k = 0; k < n; ++k) sum[k] += x[k] * w[k];
    }
    for (index k = 0; k < n; ++k) weights_[static_cast<std::size_t>(at + k)] += w[k];
    held_ = std::max(held_, at + n);
}

void OverlapAdd::take(index end, std::vector<std::vector<float>>& out) {
    index const n = end - first_;
    if (n <= 0) return;
    index const held = std::min(n, held_);
    for (index lane = 0; lane < lanes_; ++lane) {
        float* const sum = sums_.data() + lane * capacity_;
        auto& to = out[static_cast<std::size_t>(lane)];
        for (index k = 0; k < held; ++k) {
            float const weight = divisor_.value_or(weights_[static_cast<std::size_t>(k)]);
            // MSST: nan_to_num of 0 / 0, where only the foot of a fade covers a sample.
            to.push_back(weight == 0 ? 0.0f : sum[k] / weight);
        }
        to.resize(to.size() + static_cast<std::size_t>(n - held));
        std::copy(sum + held, sum + held_, sum);
        std::fill(sum + held_ - held, sum + held_, 0.0f);
    }
    std::copy(weights_.begin() + held, weights_.begin() + held_, weights_.begin());
    std::fill(weights_.begin() + held_ - held, weights_.begin() + held_, 0.0f);
    held_ -= held;
    first_ += n;
}

}  // namespace sluice::music
