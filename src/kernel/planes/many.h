// Many masks counted in one pass over a tile: blocks outermost, masks innermost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kernel/planes/tile.h"

namespace sluice::planes {

/// Masks as a kernel reads them. A column is one sum a frame. Column i < masks belongs to mask i.
/// Each later column holds what a set of masks shares, so that it is counted once.
struct ManyMasks {
    static constexpr std::size_t most_columns = 128;
    static constexpr std::uint16_t nowhere = 0xffff;

    /// Pixels of a block, and the column that they belong to.
    struct Pair {
        std::uint64_t bits;
        std::uint32_t column;
        std::uint32_t unused = 0;
    };
    /// A block of which the planes are looked at, and its pairs.
    struct Block {
        std::uint32_t block, first, count;
    };
    /// Neighbouring blocks that one column has wholly.
    struct Run {
        std::uint32_t first, count, column;
    };

    std::size_t masks;
    std::span<std::uint32_t const> set_end;    ///< of column masks + i, its end in set_masks
    std::span<std::uint32_t const> set_masks;  ///< the masks of each set, one set after the other
    std::span<Block const> blocks;
    std::span<Pair const> pairs;
    std::span<Run const> whole;
    std::span<std::uint16_t const> whole_column;  ///< [block], or nowhere
};

/// Owns what ManyMasks shows.
struct MaskGroup {
    std::size_t masks = 0;
    std::vector<ManyMasks::Block> blocks = {};
    std::vector<ManyMasks::Pair> pairs = {};
    std::vector<ManyMasks::Run> whole = {};
    std::vector<std::uint16_t> whole_column = {};
    std::vector<std::uint32_t> set_end = {}, set_masks = {};

    std::size_t columns() const { return masks + set_end.size(); }
    ManyMasks view() const {
        return {masks, set_end, set_masks, blocks, pairs, whole, whole_column};
    }
};

/// Masks, each by ascending blocks of a grid of so many, in groups of neighbours of at most 64.
std::vector<MaskGroup> together(std::span<std::span<MaskWord const> const> masks, index blocks);

}  // namespace sluice::planes
