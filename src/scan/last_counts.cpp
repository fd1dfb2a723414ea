// Keeps the counts of masks, and finds the nearest.
// SPDX-License-Identifier: Apache-2.0
#include "scan/last_counts.h"

#include <algorithm>
#include <bit>

#include "kernel/lines/line_mask.h"

namespace sluice {
namespace {

template <class Kept>
std::uint64_t bytes_of(std::vector<Kept> const& all) {
    std::uint64_t bytes = 0;
    for (Kept const& one : all)
        bytes += std::span(one->words).size_bytes() + std::span(one->of_frames).size_bytes();
    return bytes;
}

}  // namespace

index pixels_between(std::span<planes::MaskWord const> a, std::span<planes::MaskWord const> b) {
    index pixels = 0;
    lines::each_of_both(a, b, [&](std::uint32_t, std::uint64_t x, std::uint64_t y) {
        pixels += std::popcount(x ^ y);
    });
    return pixels;
}

template <class Number>
auto LastCounts<Number>::nearest(std::span<planes::MaskWord const> words, index most_pixels) const
    -> Kept {
    std::lock_guard const lock(mutex_);
    Kept found = {};
    for (Kept const& one : kept_) {
        index const pixels = pixels_between(words, one->words);
        if (pixels > most_pixels) continue;
        found = one;
        most_pixels = pixels;
    }
    found_ += found != nullptr;
    return found;
}

template <class Number>
void LastCounts<Number>::keep(Kept counts, Kept const& before, std::uint64_t most_bytes) {
    std::lock_guard const lock(mutex_);
    if (before) std::erase(kept_, before);
    kept_.push_back(std::move(counts));
    while (!kept_.empty() && (kept_.size() > most || bytes_of(kept_) > most_bytes))
        kept_.erase(kept_.begin());
}

template <class Number>
std::uint64_t LastCounts<Number>::bytes() const {
    std::lock_guard const lock(mutex_);
    return bytes_of(kept_);
}

template <class Number>
index LastCounts<Number>::found() const {
    std::lock_guard const lock(mutex_);
    return found_;
}

template class LastCounts<std::uint32_t>;
template class LastCounts<planes::Moment>;

}  // namespace sluice
