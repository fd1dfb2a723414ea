// BlockReader: an array that a file holds in blocks of one shape.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/boxes/axes.h"
#include "format/boxes/block_cache.h"
#include "format/boxes/box.h"

namespace sluice::boxes {

/// The largest block, decoded: a larger one is refused before it is allocated.
constexpr std::uint64_t most_block_bytes = std::uint64_t{1} << 31;
/// A frame in more blocks is refused.
constexpr std::uint64_t most_blocks_per_frame = std::uint64_t{1} << 22;

struct BlockGrid {
    Sides extent, block;
    std::size_t element = 1;  ///< bytes

    Sides counts() const;
    /// Bytes of one block; of those at the edge too. Nothing above most_block_bytes.
    std::optional<std::uint64_t> block_bytes() const;
};

/// Bytes of blocks to keep decoded, because neighbouring frames share them: one block for each
/// thread, and where a block spans several lines of the scan, those of two lines. 0 where no two
/// frames share a block.
std::uint64_t bytes_to_keep(BlockGrid const& grid, FrameAxes const& axes);

/// Where blocks come from.
class BlockLoader {
  public:
    virtual ~BlockLoader() = default;
    /// Fills `out`, a block in C order, which holds bytes of any value before; what lies outside
    /// the extent may be anything.
    virtual Status load(std::uint64_t number, Sides const& position,
                        std::span<std::byte> out) const = 0;
    /// Whether block `number` of the grid, its last dimension running fastest, was written.
    virtual bool present(std::uint64_t number) const = 0;
    /// How many were.
    virtual std::uint64_t present_blocks() const = 0;
    virtual std::uint64_t stored_bytes() const = 0;
};

class BlockReader final : public BoxReader {
  public:
    /// `fill` is one element, or nothing for zeros. With a `cache` blocks stay decoded; it is null
    /// where no two reads share a block.
    BlockReader(BlockGrid grid, std::unique_ptr<BlockLoader const> loader,
                std::vector<std::byte> fill, std::shared_ptr<BlockCache> cache);

    Status read(Box const& box, Target const& target, std::span<std::byte> memory) const override;
    /// With a cache blocks are decoded into it.
    std::uint64_t memory_bytes() const override { return cache_ ? 0 : block_bytes_; }
    bool complete(Box const& box) const override;
    std::optional<bool> written() const override;
    Sides grain() const override { return grid_.block; }
    std::uint64_t stored_bytes() const override { return loader_->stored_bytes(); }

  private:
    Status read_block(Sides const& position, Box const& box, Target const& target,
                      std::span<std::byte> memory) const;
    std::uint64_t number_of(Sides const& position) const;

    BlockGrid grid_;
    Sides counts_;
    std::vector<std::ptrdiff_t> strides_;
    std::unique_ptr<BlockLoader const> loader_;
    std::vector<std::byte> fill_;
    std::size_t block_bytes_;
    std::shared_ptr<BlockCache> cache_;
    std::uint64_t owner_ = 0;  ///< in the cache
};

/// Calls `visit(position)` -> bool for the blocks that a box touches, until it says false.
template <class Visit>
bool for_each_block(BlockGrid const& grid, Box const& box, Visit visit) {
    Sides first, last;
    for (std::size_t d = 0; d < box.start.size(); ++d) {
        first.push_back(box.start[d] / grid.block[d]);
        last.push_back((box.start[d] + box.count[d] - 1) / grid.block[d]);
    }
    Sides at = first;
    for (;;) {
        if (!visit(at)) return false;
        std::size_t d = at.size();
        while (d > 0 && at[d - 1] == last[d - 1]) {
            at[d - 1] = first[d - 1];
            --d;
        }
        if (d == 0) return true;
        ++at[d - 1];
    }
}

}  // namespace sluice::boxes
