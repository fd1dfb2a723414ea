// Counts the pixels of rings.
// SPDX-License-Identifier: Apache-2.0
#include "scan/ring_counts.h"

#include <algorithm>

namespace sluice {

using planes::tile_frames;

RingMasks::RingMasks(std::span<std::uint16_t const> rings, std::span<std::uint8_t const> bad,
                     planes::Grid grid, std::size_t count) {
    std::vector<std::vector<planes::MaskWord>> all(count);
    for (index block = 0; block < grid.blocks(); ++block) {
        index const row = block / grid.block_cols() * 8, col = block % grid.block_cols() * 8;
        for (index r = row; r < std::min(row + 8, grid.rows); ++r)
            for (index c = col; c < std::min(col + 8, grid.cols); ++c) {
                auto const pixel = static_cast<std::size_t>(r * grid.cols + c);
                if (bad[pixel]) continue;
                auto& words = all[rings[pixel]];
                auto const at = static_cast<std::uint32_t>(block);
                if (words.empty() || words.back().block != at) words.push_back({0, at});
                words.back().bits |= std::uint64_t{1} << planes::Grid::bit_of(r, c);
            }
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (all[k].empty()) continue;
        words_.push_back(std::move(all[k]));
        ring_.push_back(k);
    }
    std::vector<std::span<planes::MaskWord const>> const views(words_.begin(), words_.end());
    groups_ = planes::together(views, grid.blocks());
}

void RingCounts::count(std::span<planes::Tile const> tiles) {
    std::size_t first = 0;
    for (planes::MaskGroup const& group : masks_.groups_) {
        out_.resize(group.masks * tiles.size());
        kernels_.many_sums(tiles, group.view(),
                           reinterpret_cast<std::uint64_t(*)[tile_frames]>(out_.data()));
        for (std::size_t t = 0; t < tiles.size(); ++t)
            for (std::size_t m = 0; m < group.masks; ++m)
                std::ranges::copy(out_[t * group.masks + m],
                                  ring(masks_.ring_[first + m]).begin() +
                                      static_cast<std::ptrdiff_t>(t) * tile_frames);
        first += group.masks;
    }
}

}  // namespace sluice
