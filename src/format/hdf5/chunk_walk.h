// ChunkWalk: what the walkers of the kinds of chunk index share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "format/hdf5/chunk_index.h"
#include "format/hdf5/chunk_layout.h"

namespace sluice::hdf5 {

/// Where a chunk is, as an index entry says.
struct Stored {
    std::uint64_t address = 0;  ///< without the superblock's base
    std::uint64_t bytes = 0;
    std::uint32_t mask = 0;
};

class ChunkWalk {
  public:
    ChunkWalk(ReadAt const& in, Superblock const& sb, ChunkLayout const& layout,
              ChunkGrid const& grid, Sums sums);

    Superblock const& sb() const { return sb_; }
    ChunkLayout const& layout() const { return layout_; }
    ChunkGrid const& grid() const { return grid_; }
    std::uint64_t file_size() const { return in_.size(); }
    bool defined(std::uint64_t address) const { return address != sb_.undefined(); }

    /// Reads and charges a block of the index, which begins with `mark` and ends with its checksum.
    Result<std::vector<std::byte>> summed_block(std::uint64_t address, std::uint64_t size,
                                                std::string_view mark);
    /// Reads `size` bytes, or fewer at the end of the file, without charging them.
    Result<std::vector<std::byte>> peek(std::uint64_t address, std::uint64_t size) const;
    /// Counts bytes of the index. All together are no more than the file has: a cycle or a shared
    /// block ends in an error instead of an endless walk.
    Status charge(std::uint64_t address, std::uint64_t size);

    /// Adds a chunk by its position in the grid; those outside the extent are left out.
    Status add(std::span<std::uint64_t const> position, Stored stored);
    /// Adds a chunk by its number in an array index, whose order add_by() has set.
    Status add_element(std::uint64_t number, Stored stored);
    /// Array indexes number the chunks of the largest extent, `slowest` being the first dimension.
    void number_by(std::size_t slowest);
    /// Chunks of the largest extent; nothing if a dimension has no limit or there are too many.
    std::optional<std::uint64_t> array_size() const;

    std::vector<ChunkRecord> take() { return std::move(records_); }
    Error corrupt(std::string what, std::uint64_t address) const;

  private:
    ReadAt const& in_;
    Superblock const& sb_;
    ChunkLayout const& layout_;
    ChunkGrid const& grid_;
    Sums sums_;
    std::vector<std::uint64_t> counts_, array_counts_;
    std::vector<std::size_t> order_;  // dimensions, slowest first
    std::vector<std::uint64_t> position_;
    std::uint64_t charged_ = 0;
    std::vector<ChunkRecord> records_;
};

/// Whether an entry of so many bytes holds an address, and with filters a size and a mask.
bool entry_ok(ChunkWalk const& walk, std::uint64_t entry_bytes, bool filtered);
/// An entry of `entry_bytes` bytes in an array: an address, and with filters a size and a mask.
Stored read_entry(Cursor& c, ChunkWalk const& walk, std::uint64_t entry_bytes, bool filtered);

Status walk_btree1(ChunkWalk& walk);
Status walk_btree2(ChunkWalk& walk);
Status walk_fixed_array(ChunkWalk& walk);
Status walk_extensible_array(ChunkWalk& walk);

}  // namespace sluice::hdf5
