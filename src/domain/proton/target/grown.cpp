// The squared distance to the nearest element, one axis after the other.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/target/grown.h"

#include <algorithm>
#include <limits>

namespace sluice::proton::target {
namespace {

constexpr float far_away = std::numeric_limits<float>::infinity();

/// Along a line of `n` elements that are `stride` apart in memory.
void along(float* line, index n, index stride, double spacing, index reach,
           std::vector<float>& old) {
    bool any = false;
    for (index i = 0; i < n; ++i) {
        old[static_cast<std::size_t>(i)] = line[i * stride];
        any = any || line[i * stride] < far_away;
    }
    if (!any) return;
    for (index i = 0; i < n; ++i) {
        float best = far_away;
        for (index k = std::max<index>(0, i - reach); k <= std::min(n - 1, i + reach); ++k) {
            double const d = static_cast<double>(k - i) * spacing;
            best = std::min(best, old[static_cast<std::size_t>(k)] + static_cast<float>(d * d));
        }
        line[i * stride] = best;
    }
}

}  // namespace

std::vector<std::uint16_t> grown(std::vector<std::uint16_t> const& inside,
                                 std::vector<index> const& shape,
                                 std::vector<double> const& spacing, double margin) {
    index const nz = shape[0], ny = shape[1], nx = shape[2];
    std::vector<float> squared(inside.size());
    for (std::size_t i = 0; i < inside.size(); ++i) squared[i] = inside[i] != 0 ? 0 : far_away;
    std::vector<float> old(static_cast<std::size_t>(std::max({nx, ny, nz})));
    auto const reach = [&](std::size_t axis) { return static_cast<index>(margin / spacing[axis]); };
    for (index line = 0; line < nz * ny; ++line)
        along(squared.data() + line * nx, nx, 1, spacing[0], reach(0), old);
    for (index z = 0; z < nz; ++z)
        for (index x = 0; x < nx; ++x)
            along(squared.data() + z * ny * nx + x, ny, nx, spacing[1], reach(1), old);
    for (index line = 0; line < ny * nx; ++line)
        along(squared.data() + line, nz, ny * nx, spacing[2], reach(2), old);
    // A millionth more, for what is exactly as far.
    auto const most = static_cast<float>(margin * margin * 1.000001);
    std::vector<std::uint16_t> out(inside.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = squared[i] <= most ? 1 : 0;
    return out;
}

}  // namespace sluice::proton::target
