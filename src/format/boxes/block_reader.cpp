// Reading boxes out of blocks.
// SPDX-License-Identifier: Apache-2.0
#include "format/boxes/block_reader.h"

#include <algorithm>
#include <thread>

namespace sluice::boxes {
namespace {

std::ptrdiff_t offset_of(Sides const& start, Sides const& base,
                         std::vector<std::ptrdiff_t> const& stride) {
    std::ptrdiff_t bytes = 0;
    for (std::size_t d = 0; d < start.size(); ++d)
        bytes += static_cast<std::ptrdiff_t>(start[d] - base[d]) * stride[d];
    return bytes;
}

}  // namespace

Sides BlockGrid::counts() const {
    Sides n;
    for (std::size_t d = 0; d < extent.size(); ++d)
        n.push_back(extent[d] / block[d] + (extent[d] % block[d] != 0));
    return n;
}

std::optional<std::uint64_t> BlockGrid::block_bytes() const {
    auto const n = product_of(block, most_block_bytes / element);
    return n ? std::optional(*n * element) : std::nullopt;
}

std::uint64_t bytes_to_keep(BlockGrid const& grid, FrameAxes const& axes) {
    auto const shared = [&](std::size_t d) { return grid.block[d] > 1; };
    if (std::ranges::none_of(axes.scan, shared)) return 0;
    Sides const counts = grid.counts();
    bool const lines = std::any_of(axes.scan.begin(), std::prev(axes.scan.end()), shared);
    // Each thread reads in a block of its own, wherever lines end.
    std::uint64_t const threads = std::max(32U, 2 * std::thread::hardware_concurrency());
    std::uint64_t const along = lines ? 2 * counts[axes.scan.back()] : 0;
    Sides const kept{counts[axes.row], counts[axes.col], std::max(along, threads),
                     *grid.block_bytes()};
    return product_of(kept, most_kept_bytes).value_or(most_kept_bytes);
}

BlockReader::BlockReader(BlockGrid grid, std::unique_ptr<BlockLoader const> loader,
                         std::vector<std::byte> fill, std::shared_ptr<BlockCache> cache)
    : grid_(std::move(grid)),
      counts_(grid_.counts()),
      strides_(strides_of(grid_.block, grid_.element)),
      loader_(std::move(loader)),
      fill_(std::move(fill)),
      block_bytes_(static_cast<std::size_t>(grid_.block_bytes().value_or(0))),
      cache_(std::move(cache)) {
    expects(block_bytes_ > 0);
    if (fill_.empty()) fill_.resize(grid_.element);
    expects(fill_.size() == grid_.element);
    if (cache_) owner_ = cache_->new_owner();
}

std::uint64_t BlockReader::number_of(Sides const& position) const {
    std::uint64_t n = 0;
    for (std::size_t d = 0; d < counts_.size(); ++d) n = n * counts_[d] + position[d];
    return n;
}

Status BlockReader::read_block(Sides const& position, Box const& box, Target const& target,
                               std::span<std::byte> memory) const {
    Sides base, from, count;
    for (std::size_t d = 0; d < position.size(); ++d) {
        base.push_back(position[d] * grid_.block[d]);
        from.push_back(std::max(base[d], box.start[d]));
        count.push_back(std::min(base[d] + grid_.block[d], box.start[d] + box.count[d]) - from[d]);
    }
    std::byte* const to = target.to + offset_of(from, box.start, target.stride);
    std::uint64_t const number = number_of(position);
    auto const copy = [&](Bytes block) {
        copy_box(block.data() + offset_of(from, base, strides_), strides_, to, target.stride, count,
                 grid_.element);
    };
    if (!loader_->present(number)) {
        std::vector<std::ptrdiff_t> const again(count.size(), 0);
        copy_box(fill_.data(), again, to, target.stride, count, grid_.element);
        return {};
    }
    if (cache_) {
        SLUICE_TRY(Block const block, cache_->get(owner_, number, block_bytes_, [&] {
            std::vector<std::byte> bytes = cache_->take(block_bytes_);
            Status const done = loader_->load(number, position, bytes);
            return done ? Result<std::vector<std::byte>>(std::move(bytes)) : done.error();
        }));
        copy(*block);
        return {};
    }
    memory = memory.first(block_bytes_);
    SLUICE_CHECK(loader_->load(number, position, memory));
    copy(memory);
    return {};
}

Status BlockReader::read(Box const& box, Target const& target, std::span<std::byte> memory) const {
    Status done;
    for_each_block(grid_, box, [&](Sides const& position) {
        done = read_block(position, box, target, memory);
        return done.has_value();
    });
    return done;
}

bool BlockReader::complete(Box const& box) const {
    return for_each_block(
        grid_, box, [&](Sides const& position) { return loader_->present(number_of(position)); });
}

std::optional<bool> BlockReader::written() const {
    std::uint64_t const present = loader_->present_blocks();
    if (present == 0) return false;
    auto const all = product_of(counts_, ~std::uint64_t{0});
    return all && present == *all ? std::optional(true) : std::nullopt;
}

}  // namespace sluice::boxes
