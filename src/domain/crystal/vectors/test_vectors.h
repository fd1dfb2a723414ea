// Vectors for tests: random disks in a few patterns, some of which have none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <random>

#include "domain/crystal/vectors/columns.h"

namespace sluice::crystal {

inline BraggVectors some_vectors(std::array<index, 2> scan = {3, 5}, int most_disks = 7,
                                 unsigned seed = 1) {
    std::mt19937 random(seed);
    BraggVectors v;
    v.scan_shape = scan;
    v.detector_shape = {24, 30};
    v.first.assign(1, 0);
    for (index p = 0; p < v.patterns(); ++p) {
        auto const n = static_cast<index>(random() % static_cast<unsigned>(most_disks + 1));
        v.first.push_back(v.first.back() + n);
        v.reason.push_back(n > 0 ? DiskReason::found : DiskReason::below_score);
    }
    std::uniform_real_distribution<float> value(0, 20);
    for (Column const& c : columns)
        for (index i = 0; i < v.first.back(); ++i) (v.*c.values).push_back(value(random));
    for (std::size_t p = 0; p + 1 < v.first.size(); ++p)
        std::sort(v.intensity.begin() + v.first[p], v.intensity.begin() + v.first[p + 1],
                  std::greater<>());
    if (!v.score.empty()) v.score[0] = std::numeric_limits<float>::quiet_NaN();
    return v;
}

/// Whether all bits of them are the same.
inline bool same(BraggVectors const& a, BraggVectors const& b) {
    auto const equal = [](std::vector<float> const& x, std::vector<float> const& y) {
        return x.size() == y.size() &&
               std::equal(x.begin(), x.end(), y.begin(), [](float p, float q) {
                   return std::bit_cast<std::uint32_t>(p) == std::bit_cast<std::uint32_t>(q);
               });
    };
    for (Column const& c : columns)
        if (!equal(a.*c.values, b.*c.values)) return false;
    return a.scan_shape == b.scan_shape && a.detector_shape == b.detector_shape &&
           a.first == b.first && a.reason == b.reason;
}

}  // namespace sluice::crystal
