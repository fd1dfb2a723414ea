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
void Finder::put(Room& room, int which, T const* values, index frame) const {
    auto const [rows, cols] = setup_.shape;
    Room::Pattern& p = room.patterns_[static_cast<std::size_t>(which)];
    p.used = true;
    p.frame = frame;
    p.any = p.own_weights = false;
    bool odd = false;
    auto const limit = static_cast<float>(std::min(setup_.saturation, most_counts));
    for (index r = 0; r < rows; ++r) {
        index const at = (r + margin_) * pitch_ + margin_;
        RowFacts const facts = std::get<ReadRow<T>>(detect_->read_row)(
            values + r * cols, weights_.data() + at, cols, limit, p.counts.data() + at);
        odd |= facts.odd;
        p.any |= facts.most > 0;
    }
    p.saturated = odd && limit < static_cast<float>(most_counts);
    if (odd) leave_out(p, limit);
    if (scale_ == 1 && shift_ == 0) return;
    auto const scale = static_cast<float>(scale_), shift = static_cast<float>(shift_);
    for (index r = 0; r < rows; ++r) {
        float* const row = p.counts.data() + (r + margin_) * pitch_ + margin_;
        for (index c = 0; c < cols; ++c) row[c] = row[c] * scale + shift;
    }
}

// What is no count weighs nothing.
void Finder::leave_out(Room::Pattern& p, float limit) const {
    auto const [rows, cols] = setup_.shape;
    if (p.weights.empty()) p.weights = AlignedFloats(weights_.size());
    std::memcpy(p.weights.data(), weights_.data(),
                static_cast<std::size_t>(weights_.size()) * sizeof(float));
    p.own_weights = true;
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            index const i = (r + margin_) * pitch_ + margin_ + c;
            if (std::abs(p.counts.data()[i]) <= limit) continue;
            p.weights.data()[i] = 0;
            // The pixel before it is finite by now, or lies in the margin, which is 0.
            p.counts.data()[i] = p.counts.data()[i - 1];
        }
}

template void Finder::put(Room&, int, std::uint8_t const*, index) const;
template void Finder::put(Room&, int, std::uint16_t const*, index) const;
template void Finder::put(Room&, int, std::uint32_t const*, index) const;
template void Finder::put(Room&, int, float const*, index) const;
template void Finder::put(Room&, int, double const*, index) const;

}  // namespace sluice::crystal
