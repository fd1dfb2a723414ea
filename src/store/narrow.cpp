// Packs whole numbers.
// SPDX-License-Identifier: Apache-2.0
#include "store/narrow.h"

#include <algorithm>

namespace sluice::store {

template <class F>
void Narrow::with_type(std::size_t width, F const& f) {
    if (width == 1) f(std::uint8_t{});
    if (width == 2) f(std::uint16_t{});
    if (width == 4) f(std::uint32_t{});
    if (width == 8) f(std::uint64_t{});
}

void Narrow::put(std::size_t first, std::span<std::uint64_t const> numbers) {
    with_type(width_, [&](auto type) {
        auto* const to = reinterpret_cast<decltype(type)*>(bytes_.data()) + first;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            to[i] = static_cast<decltype(type)>(numbers[i]);
    });
}

void Narrow::add_to(std::span<std::uint64_t> sums, std::size_t first) const {
    with_type(width_, [&](auto type) {
        auto const* const from = reinterpret_cast<decltype(type) const*>(bytes_.data()) + first;
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += from[i];
    });
}

Narrow Narrow::packed() const {
    if (width_ == 0) return {};
    std::size_t const count = bytes_.size() / width_;
    std::uint64_t largest = 0;
    with_type(width_, [&](auto type) {
        auto const* const from = reinterpret_cast<decltype(type) const*>(bytes_.data());
        decltype(type) most = 0;
        for (std::size_t i = 0; i < count; ++i) most = std::max(most, from[i]);
        largest = most;
    });
    Narrow few(count, largest);
    std::vector<std::uint64_t> some;
    constexpr std::size_t piece = 1024;
    for (std::size_t at = 0; at < count; at += piece) {
        some.assign(std::min(piece, count - at), 0);
        add_to(some, at);
        few.put(at, some);
    }
    return few;
}

}  // namespace sluice::store
