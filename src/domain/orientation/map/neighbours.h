// Indexed patterns of a map, and pairs of them that lie side by side.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation_map.h"

namespace sluice::orient {

inline bool is_indexed(stem4d::OrientationMap const& map, std::size_t p) {
    return map.reason[p] == stem4d::OrientationReason::indexed;
}
/// Of the phase of the first, which must be that of the second.
inline double between(stem4d::OrientationMap const& map, std::size_t one, std::size_t two) {
    auto const& phase = map.phases[static_cast<std::size_t>(map.phase[one])];
    return stem4d::disorientation(map.orientation[one], map.orientation[two], phase.symmetry);
}

/// Calls f(one, two) for each pair of indexed patterns beside and below each other, row by row.
template <class F>
void each_pair(stem4d::OrientationMap const& map, F const& f) {
    auto const rows = static_cast<std::size_t>(map.scan_shape[0]);
    auto const cols = static_cast<std::size_t>(map.scan_shape[1]);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) {
            std::size_t const p = r * cols + c;
            if (!is_indexed(map, p)) continue;
            if (c + 1 < cols && is_indexed(map, p + 1)) f(p, p + 1);
            if (r + 1 < rows && is_indexed(map, p + cols)) f(p, p + cols);
        }
}

}  // namespace sluice::orient
