// SplitMix64's finaliser over words, each pattern on its own.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/digest.h"

#include <cstring>

#include "base/splitmix.h"
#include "device/workers.h"

namespace sluice::ptycho {

std::uint64_t digest(Bytes bytes, std::uint64_t before) {
    std::uint64_t found = splitmix::mix(before + splitmix::golden * (bytes.size() + 1));
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
        found = splitmix::mix((found ^ word) + splitmix::golden);
    }
    return found;
}

Belongs belongs_to(Measured const& measured, int threads) {
    stem4d::Patterns const& patterns = measured.patterns;
    auto const pixels = static_cast<std::size_t>(patterns.size * patterns.size);
    // Those of this process, where others have the rest.
    std::size_t const held =
        std::visit([](auto const& counts) { return counts.size(); }, patterns.counts) / pixels;
    std::vector<std::uint64_t> each(held);
    parallel_for(std::ssize(each), threads, 16, [&](index j, int) {
        each[static_cast<std::size_t>(j)] = with_pattern(
            patterns, patterns.first + j,
            [&](auto const* first) { return digest(std::as_bytes(std::span(first, pixels))); });
    });
    std::vector<double> places;
    for (auto const& p : patterns.positions) places.insert(places.end(), {p.row, p.col});
    std::uint64_t const bad = digest(std::as_bytes(std::span(patterns.bad)));
    return {digest(std::as_bytes(std::span(each)), bad + patterns.counts.index()),
            digest(std::as_bytes(std::span(places)))};
}

}  // namespace sluice::ptycho
