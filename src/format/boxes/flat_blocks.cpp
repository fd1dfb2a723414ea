// Blocks of an array in one piece: as long runs as there are.
// SPDX-License-Identifier: Apache-2.0
#include "format/boxes/flat_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sluice::boxes {
namespace {

// Blocks of frames whose pixels lie apart: large enough that each read is worth its call.
constexpr std::uint64_t block_goal = std::uint64_t{1} << 25;
constexpr std::size_t kept_blocks = 6;

/// A frame per block; many, along the fastest dimension of the scan first, if that makes the runs
/// longer.
Sides blocks_for(FlatArray const& a) {
    Sides block(a.extent.size(), 1);
    block[a.axes.row] = a.extent[a.axes.row];
    block[a.axes.col] = a.extent[a.axes.col];
    std::uint64_t bytes = block[a.axes.row] * block[a.axes.col] * a.element;
    auto scan = a.axes.scan;
    std::sort(scan.rbegin(), scan.rend());
    for (std::size_t axis : scan) {
        if (axis < std::min(a.axes.row, a.axes.col)) continue;
        block[axis] = std::max<std::uint64_t>(1, std::min(block_goal / bytes, a.extent[axis]));
        bytes *= block[axis];
    }
    return block;
}

class FlatLoader final : public BlockLoader {
  public:
    FlatLoader(BlockGrid grid, std::uint64_t offset, OpenFile open)
        : grid_(std::move(grid)),
          stride_(strides_of(grid_.extent, grid_.element)),
          inside_(strides_of(grid_.block, grid_.element)),
          offset_(offset),
          open_(std::move(open)) {}

    Status load(std::uint64_t, Sides const& position, std::span<std::byte> out) const override {
        SLUICE_TRY(auto file, open_());
        std::size_t const rank = position.size();
        std::uint64_t at = offset_;
        Sides count(rank);
        for (std::size_t d = 0; d < rank; ++d) {
            std::uint64_t const first = position[d] * grid_.block[d];
            at += first * static_cast<std::uint64_t>(stride_[d]);
            count[d] = std::min(grid_.block[d], grid_.extent[d] - first);
        }
        std::size_t run = grid_.element, outer = rank;
        while (outer > 0 && static_cast<std::size_t>(stride_[outer - 1]) == run &&
               static_cast<std::size_t>(inside_[outer - 1]) == run) {
            run *= static_cast<std::size_t>(count[outer - 1]);
            --outer;
            if (outer > 0 && count[outer] != grid_.extent[outer]) break;
        }
        return read_runs(*file, at, count, outer, run, out.data(), 0);
    }
    bool present(std::uint64_t) const override { return true; }
    std::uint64_t present_blocks() const override {
        return product_of(grid_.counts(), ~std::uint64_t{0}).value_or(1);
    }
    std::uint64_t stored_bytes() const override {
        return product_of(grid_.extent, ~std::uint64_t{0} / grid_.element).value_or(0) *
               grid_.element;
    }

  private:
    Status read_runs(File const& file, std::uint64_t at, Sides const& count, std::size_t outer,
                     std::size_t run, std::byte* to, std::size_t d) const {
        if (d == outer) return file.read(at, {to, run});
        for (std::uint64_t i = 0; i < count[d]; ++i) {
            SLUICE_CHECK(read_runs(file, at, count, outer, run, to, d + 1));
            at += static_cast<std::uint64_t>(stride_[d]);
            to += inside_[d];
        }
        return {};
    }

    BlockGrid grid_;
    std::vector<std::ptrdiff_t> stride_, inside_;
    std::uint64_t offset_;
    OpenFile open_;
};

}  // namespace

Result<std::shared_ptr<BoxReader const>> flat_reader(FlatArray const& a, OpenFile open) {
    BlockGrid grid{a.extent, blocks_for(a), a.element};
    if (!grid.block_bytes())
        return Error{Code::unsupported,
                     fmt::format("frames of over 2 GiB (an array of {} in this order of axes)",
                                 fmt::join(a.extent, "x"))};
    bool const shared = std::ranges::any_of(a.axes.scan, [&](auto d) { return grid.block[d] > 1; });
    auto loader = std::make_unique<FlatLoader>(grid, a.offset, std::move(open));
    std::shared_ptr<BlockCache> cache;
    if (shared) {
        cache = std::make_shared<BlockCache>(kept_blocks * *grid.block_bytes());
        cache->grow(kept_blocks * *grid.block_bytes());
    }
    std::shared_ptr<BoxReader const> reader = std::make_shared<BlockReader const>(
        std::move(grid), std::move(loader), std::vector<std::byte>{}, std::move(cache));
    return reader;
}

}  // namespace sluice::boxes
