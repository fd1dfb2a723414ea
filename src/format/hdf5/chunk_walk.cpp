// What the walkers of the kinds of chunk index share.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/chunk_walk.h"

#include <fmt/format.h>

#include <limits>

namespace sluice::hdf5 {
namespace {

constexpr std::uint64_t unlimited = ~std::uint64_t{0};
constexpr std::uint64_t most_chunks = std::uint64_t{1} << 62;

std::vector<std::uint64_t> chunks_along(std::vector<std::uint64_t> const& extent,
                                        std::vector<std::uint64_t> const& chunk) {
    std::vector<std::uint64_t> n;
    for (std::size_t d = 0; d < extent.size(); ++d)
        n.push_back(extent[d] / chunk[d] + (extent[d] % chunk[d] != 0));
    return n;
}

std::optional<std::uint64_t> product(std::vector<std::uint64_t> const& n) {
    std::uint64_t p = 1;
    for (std::uint64_t f : n) {
        if (f == 0) return 0;
        if (p > most_chunks / f) return {};
        p *= f;
    }
    return p;
}

}  // namespace

std::vector<std::uint64_t> ChunkGrid::counts() const {
    bool const alike =
        !extent.empty() && extent.size() == chunk.size() && max.size() == chunk.size();
    if (!alike || std::count(chunk.begin(), chunk.end(), 0) != 0) return {};
    auto n = chunks_along(extent, chunk);
    return product(n) ? n : std::vector<std::uint64_t>{};
}

ChunkWalk::ChunkWalk(ReadAt const& in, Superblock const& sb, ChunkLayout const& layout,
                     ChunkGrid const& grid, Sums sums)
    : in_(in),
      sb_(sb),
      layout_(layout),
      grid_(grid),
      sums_(sums),
      counts_(grid.counts()),
      array_counts_(chunks_along(grid.max, grid.chunk)),
      position_(grid.chunk.size()) {
    number_by(0);
}

Result<std::vector<std::byte>> ChunkWalk::summed_block(std::uint64_t address, std::uint64_t size,
                                                       std::string_view mark) {
    SLUICE_CHECK(charge(address, size));
    SLUICE_TRY(auto bytes, read_block(in_, sb_, address, size));
    if (!Cursor(bytes).literal(mark))
        return corrupt("a block of the chunk index has a wrong header", address);
    if (sums_ == Sums::compare && !checksum_holds(bytes))
        return corrupt("a block of the chunk index does not have its checksum", address);
    return bytes;
}

Result<std::vector<std::byte>> ChunkWalk::peek(std::uint64_t address, std::uint64_t size) const {
    std::uint64_t const at = address + sb_.base;
    std::uint64_t const rest = at < address || at > in_.size() ? 0 : in_.size() - at;
    return read_block(in_, sb_, address, std::min(size, rest));
}

Status ChunkWalk::charge(std::uint64_t address, std::uint64_t size) {
    if (size > in_.size() - charged_)
        return corrupt("the chunk index is larger than its file", address);
    charged_ += size;
    return {};
}

Status ChunkWalk::add(std::span<std::uint64_t const> position, Stored stored) {
    if (!defined(stored.address)) return {};
    std::uint64_t number = 0;
    for (std::size_t d = 0; d < counts_.size(); ++d) {
        if (position[d] >= counts_[d]) return {};
        number = number * counts_[d] + position[d];
    }
    if (stored.bytes > std::numeric_limits<std::uint32_t>::max())
        return Error{Code::unsupported, "a chunk of over 4 GiB", {}, stored.address + sb_.base};
    if (stored.address + sb_.base < stored.address)
        return corrupt("the address of a chunk is absurd", stored.address);
    records_.push_back(
        {number, stored.address + sb_.base, static_cast<std::uint32_t>(stored.bytes), stored.mask});
    return {};
}

Status ChunkWalk::add_element(std::uint64_t number, Stored stored) {
    for (std::size_t i = order_.size(); i-- > 1;) {
        std::uint64_t const n = std::max<std::uint64_t>(array_counts_[order_[i]], 1);
        position_[order_[i]] = number % n;
        number /= n;
    }
    position_[order_[0]] = number;
    return add(position_, stored);
}

void ChunkWalk::number_by(std::size_t slowest) {
    order_ = {slowest};
    for (std::size_t d = 0; d < position_.size(); ++d)
        if (d != slowest) order_.push_back(d);
}

std::optional<std::uint64_t> ChunkWalk::array_size() const {
    if (std::count(grid_.max.begin(), grid_.max.end(), unlimited) != 0) return {};
    return product(array_counts_);
}

Error ChunkWalk::corrupt(std::string what, std::uint64_t address) const {
    return {Code::corrupt, std::move(what) + "; copy the file again", {}, address + sb_.base};
}

bool entry_ok(ChunkWalk const& walk, std::uint64_t entry_bytes, bool filtered) {
    std::uint64_t const a = walk.sb().address_bytes;
    return filtered ? entry_bytes >= a + 5 && entry_bytes <= a + 12 : entry_bytes == a;
}

Stored read_entry(Cursor& c, ChunkWalk const& walk, std::uint64_t entry_bytes, bool filtered) {
    Stored s;
    s.address = c.number(walk.sb().address_bytes);
    if (!filtered) {
        s.bytes = walk.grid().chunk_bytes;
        return s;
    }
    s.bytes = c.number(static_cast<unsigned>(entry_bytes - walk.sb().address_bytes - 4));
    s.mask = static_cast<std::uint32_t>(c.number(4));
    return s;
}

}  // namespace sluice::hdf5
