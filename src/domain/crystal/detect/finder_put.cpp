// Puts patterns of any type into a worker's room.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include "domain/crystal/detect/finder.h"

namespace sluice::crystal {
namespace {

// Beyond this, squares of floats are in danger; no detector counts so far.
constexpr double most_counts = 1e9;

}  // namespace

template <class T>
void Finder::put(Room& room, int which, T const* values) const {
    auto const [rows, cols] = setup_.shape;
    Room::Pattern& p = room.patterns_[static_cast<std::size_t>(which)];
    p.used = true;
    p.any = p.own_weights = false;
    bool odd = false;
    for (index r = 0; r < rows; ++r) {
        index const at = (r + margin_) * pitch_ + margin_;
        float* const to = p.counts.data() + at;
        float const* const weights = weights_.data() + at;
        float most = 0;
        for (index c = 0; c < cols; ++c) {
            auto const v = static_cast<float>(values[r * cols + c]);
            to[c] = v;
            // Of NaN no comparison holds, which `!(...)` finds.
            odd |= !(std::abs(v) <= static_cast<float>(most_counts));
            most = std::abs(v) * weights[c] > most ? std::abs(v) * weights[c] : most;
        }
        p.any |= most > 0;
    }
    if (!odd) return;
    if (p.weights.empty()) p.weights = AlignedFloats(weights_.size());
    std::memcpy(p.weights.data(), weights_.data(),
                static_cast<std::size_t>(weights_.size()) * sizeof(float));
    p.own_weights = true;
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            index const i = (r + margin_) * pitch_ + margin_ + c;
            if (std::abs(p.counts.data()[i]) <= static_cast<float>(most_counts)) continue;
            p.weights.data()[i] = 0;
            // The pixel before it is finite by now, or lies in the margin, which is 0.
            p.counts.data()[i] = p.counts.data()[i - 1];
        }
}

template void Finder::put(Room&, int, std::uint8_t const*) const;
template void Finder::put(Room&, int, std::uint16_t const*) const;
template void Finder::put(Room&, int, std::uint32_t const*) const;
template void Finder::put(Room&, int, float const*) const;
template void Finder::put(Room&, int, double const*) const;

}  // namespace sluice::crystal
