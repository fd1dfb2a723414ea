// Counts what a file of tables holds.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/table_units.h"

#include <algorithm>

#include "domain/stem4d/frame_values.h"

namespace sluice::stem4d {

using planes::tile_frames;
using store::Unit;

TableUnits::Partial TableUnits::begin(fold::Range units) const {
    fold::Range const frames = frames_of(units, plan.frames());
    auto const count = static_cast<std::size_t>(frames.count());
    Partial p;
    Run& run = p.runs[frames.first];
    run.moments.resize(count);
    run.rings.assign(static_cast<std::size_t>(rings), std::vector<std::uint64_t>(count));
    return p;
}

void TableUnits::add(Partial& p, std::span<Unit const> units) const {
    planes::Tile tiles[batch];
    planes::Moment moments[batch][tile_frames] = {};
    for (std::size_t i = 0; i < units.size(); ++i) tiles[i] = units[i].tile;
    std::span<planes::Tile const> const list(tiles, units.size());
    if (!all.words.empty())
        planes::kernels_for(device).moments(list, plan.grid().block_cols(), all.words, moments);
    std::optional<RingCounts> counts;
    if (masks) {
        counts.emplace(*masks, device, static_cast<std::size_t>(rings), units.size());
        counts->count(list);
    }
    for (std::size_t i = 0; i < units.size(); ++i) {
        auto& [first, to] = *std::prev(p.runs.upper_bound(units[i].first_frame));
        auto const at = static_cast<std::ptrdiff_t>(units[i].first_frame - first);
        std::copy_n(moments[i], units[i].frames, to.moments.begin() + at);
        for (std::size_t k = 0; k < to.rings.size(); ++k)
            std::copy_n(counts->ring(k).begin() + static_cast<std::ptrdiff_t>(i) * tile_frames,
                        units[i].frames, to.rings[k].begin() + at);
        if (patterns) add_squares(p, units[i]);
    }
}

void TableUnits::add_squares(Partial& p, Unit const& unit) const {
    index const across = (plan.scan[1] + edge - 1) / edge;
    std::map<index, std::uint16_t> masks_of;
    for (index i = 0; i < unit.frames; ++i) {
        index const frame = unit.first_frame + i;
        if (!plan.lost.empty() && plan.lost[static_cast<std::size_t>(frame)]) continue;
        index const row = frame / plan.scan[1], col = frame % plan.scan[1];
        masks_of[row / edge * across + col / edge] |= static_cast<std::uint16_t>(1U << i);
    }
    planes::Grid const grid = plan.grid();
    for (auto const& [square, mask] : masks_of) {
        auto& sums = p.squares[square];
        sums.resize(static_cast<std::size_t>(grid.blocks() * 64));
        planes::kernels_for(device).pattern_sum({&unit.tile, 1}, &mask, 0, grid.blocks(),
                                                sums.data());
    }
}

void TableUnits::merge(Partial& a, Partial const& b) const {
    a.runs.insert(b.runs.begin(), b.runs.end());
    for (auto const& [square, sums] : b.squares) {
        auto& to = a.squares[square];
        to.resize(sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) to[i] += sums[i];
    }
}

}  // namespace sluice::stem4d
