// Chunk indexes: the version 1 B-tree, the two that need no structure, and the way to the others.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/chunk_index.h"

#include <fmt/format.h>

#include "format/hdf5/chunk_walk.h"

namespace sluice::hdf5 {
namespace {

/// Walks "TREE" nodes of type 1. `guess` is the size of the largest node so far: a node is read
/// with one read unless it is larger.
class Btree1 {
  public:
    explicit Btree1(ChunkWalk& walk)
        : walk_(walk),
          rank_(walk.grid().chunk.size()),
          header_(8 + 2 * walk.sb().address_bytes),
          key_(8 + 8 * (rank_ + 1)),
          guess_(header_ + 64 * (key_ + walk.sb().address_bytes) + key_),
          position_(rank_) {}

    Status node(std::uint64_t address, int level) {
        SLUICE_TRY(auto bytes, walk_.peek(address, guess_));
        Cursor head(bytes);
        bool const tree = head.literal("TREE") && head.byte() == 1;
        int const at_level = head.byte();
        std::uint64_t const used = head.number(2);
        if (!tree || !head.ok() || (level >= 0 && at_level != level))
            return walk_.corrupt("a node of the chunk index has a wrong header", address);
        std::uint64_t const size = header_ + used * (key_ + walk_.sb().address_bytes) + key_;
        SLUICE_CHECK(walk_.charge(address, size));
        if (size > bytes.size()) {
            guess_ = std::max(guess_, size);
            SLUICE_TRY(bytes, read_again(address, size));
        }
        Cursor c(bytes);
        c.take(header_);
        for (std::uint64_t i = 0; i < used; ++i) SLUICE_CHECK(entry(c, at_level));
        if (!c.ok()) return walk_.corrupt("a node of the chunk index is cut off", address);
        return {};
    }

  private:
    Result<std::vector<std::byte>> read_again(std::uint64_t address, std::uint64_t size) const {
        SLUICE_TRY(auto bytes, walk_.peek(address, size));
        if (bytes.size() < size)
            return walk_.corrupt("a node of the chunk index is cut off", address);
        return bytes;
    }

    Status entry(Cursor& c, int level) {
        Stored s;
        s.bytes = c.number(4);
        s.mask = static_cast<std::uint32_t>(c.number(4));
        bool aligned = true;
        for (std::size_t d = 0; d < rank_; ++d) {
            std::uint64_t const origin = c.number(8);
            position_[d] = origin / walk_.grid().chunk[d];
            aligned = aligned && origin % walk_.grid().chunk[d] == 0;
        }
        c.take(8);
        s.address = c.number(walk_.sb().address_bytes);
        if (level > 0) return node(s.address, level - 1);
        if (!aligned)
            return walk_.corrupt("a chunk does not begin at a multiple of the chunk shape",
                                 s.address);
        return walk_.add(position_, s);
    }

    ChunkWalk& walk_;
    std::uint64_t rank_, header_, key_, guess_;
    std::vector<std::uint64_t> position_;
};

Status walk_single(ChunkWalk& walk) {
    ChunkLayout const& l = walk.layout();
    std::vector<std::uint64_t> const origin(walk.grid().chunk.size());
    bool const filtered = l.single_bytes != 0;
    return walk.add(origin, {l.address, filtered ? l.single_bytes : walk.grid().chunk_bytes,
                             filtered ? l.single_mask : 0});
}

Status walk_implicit(ChunkWalk& walk) {
    auto const n = walk.array_size();
    std::uint64_t const each = walk.grid().chunk_bytes;
    if (!n || each == 0 || *n > walk.file_size() / each)
        return walk.corrupt("more chunks than the file has room for", walk.layout().address);
    for (std::uint64_t i = 0; i < *n; ++i)
        SLUICE_CHECK(walk.add_element(i, {walk.layout().address + i * each, each, 0}));
    return {};
}

Status walk_any(ChunkWalk& walk) {
    if (!walk.defined(walk.layout().address)) return {};
    switch (walk.layout().type) {
        case IndexType::btree1:
            return walk_btree1(walk);
        case IndexType::single:
            return walk_single(walk);
        case IndexType::implicit:
            return walk_implicit(walk);
        case IndexType::fixed_array:
            return walk_fixed_array(walk);
        case IndexType::extensible_array:
            return walk_extensible_array(walk);
        case IndexType::btree2:
            return walk_btree2(walk);
    }
    return Error{Code::unsupported, "an unknown kind of chunk index"};
}

/// No writer lets two chunks share bytes. Old indexes have no checksum, and an address of one that
/// is damaged points at another chunk as a rule.
Status check_apart(std::vector<ChunkRecord> const& records) {
    auto const before = [](ChunkRecord const& a, ChunkRecord const& b) {
        return std::pair(a.address, a.bytes) < std::pair(b.address, b.bytes);
    };
    std::vector<ChunkRecord> sorted;
    auto const* in_file = &records;
    if (!std::is_sorted(records.begin(), records.end(), before)) {
        sorted = records;
        std::sort(sorted.begin(), sorted.end(), before);
        in_file = &sorted;
    }
    auto const share = [](ChunkRecord const& a, ChunkRecord const& b) {
        return b.address - a.address < a.bytes;
    };
    auto const first = std::adjacent_find(in_file->begin(), in_file->end(), share);
    if (first == in_file->end()) return {};
    return Error{Code::corrupt,
                 fmt::format("the chunks {} and {} of a dataset share bytes of the file (its chunk "
                             "index is damaged); copy the file again",
                             first->chunk, std::next(first)->chunk),
                 {},
                 std::next(first)->address};
}

}  // namespace

Status walk_btree1(ChunkWalk& walk) {
    return Btree1(walk).node(walk.layout().address, -1);
}

Result<std::vector<ChunkRecord>> read_chunk_index(ReadAt const& in, Superblock const& sb,
                                                  ChunkLayout const& layout, ChunkGrid const& grid,
                                                  Sums sums) {
    if (grid.counts().empty())
        return Error{Code::unsupported, "a dataset whose shape has no chunks, or too many"};
    if (layout.chunk != grid.chunk)
        return Error{Code::corrupt, "the chunk shape of the layout message is not the dataset's"};
    ChunkWalk walk(in, sb, layout, grid, sums);
    SLUICE_CHECK(walk_any(walk));
    auto records = walk.take();
    auto const before = [](ChunkRecord const& a, ChunkRecord const& b) {
        return a.chunk < b.chunk;
    };
    if (!std::is_sorted(records.begin(), records.end(), before))
        std::sort(records.begin(), records.end(), before);
    auto const same = [](ChunkRecord const& a, ChunkRecord const& b) { return a.chunk == b.chunk; };
    auto const twice = std::adjacent_find(records.begin(), records.end(), same);
    if (twice != records.end())
        return Error{Code::corrupt,
                     fmt::format("chunk {} is stored twice; copy the file again", twice->chunk),
                     {},
                     twice->address};
    SLUICE_CHECK(check_apart(records));
    return records;
}

}  // namespace sluice::hdf5
