// The version 2 B-tree as a chunk index (datasets with two or more unlimited dimensions).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/btree2_layout.h"
#include "format/hdf5/chunk_walk.h"

namespace sluice::hdf5 {
namespace {

/// Types of records.
constexpr unsigned plain_chunks = 10, filtered_chunks = 11;

class Btree2 {
  public:
    Btree2(ChunkWalk& walk, Btree2Layout const& layout)
        : walk_(walk),
          layout_(layout),
          position_(walk.grid().chunk.size()),
          entry_(layout.record_bytes() - 8 * position_.size()) {}

    Status node(Btree2Layout::Node const& n) {
        auto const used = layout_.used_bytes(n);
        if (!used) return walk_.corrupt("a node of the chunk index is too full", n.address);
        SLUICE_TRY(auto bytes, walk_.summed_block(n.address, *used, Btree2Layout::mark(n)));
        Cursor records(layout_.records(bytes, n));
        for (std::uint64_t i = 0; i < n.records; ++i) SLUICE_CHECK(record(records));
        Cursor children = layout_.children(bytes, n);
        for (std::uint64_t i = 0; n.depth > 0 && i <= n.records; ++i)
            SLUICE_CHECK(node(layout_.take_child(children, n)));
        return {};
    }

  private:
    Status record(Cursor& c) {
        Stored const s = read_entry(c, walk_, entry_, layout_.type() == filtered_chunks);
        for (std::uint64_t& p : position_) p = c.number(8);
        return walk_.add(position_, s);
    }

    ChunkWalk& walk_;
    Btree2Layout const& layout_;
    std::vector<std::uint64_t> position_;
    std::uint64_t entry_;  ///< bytes of a record before its position
};

/// Whether the records are long enough for what they are said to hold.
bool holds_chunks(Btree2Layout const& l, ChunkWalk const& walk) {
    std::uint64_t const position = 8 * walk.grid().chunk.size();
    if (l.record_bytes() < position) return false;
    std::uint64_t const entry = l.record_bytes() - position;
    bool const filtered = l.type() == filtered_chunks;
    return (filtered || l.type() == plain_chunks) && entry_ok(walk, entry, filtered);
}

}  // namespace

Status walk_btree2(ChunkWalk& walk) {
    std::uint64_t const address = walk.layout().address;
    SLUICE_TRY(auto head, walk.summed_block(address, Btree2Layout::head_bytes(walk.sb()),
                                            Btree2Layout::head_mark));
    auto const layout = Btree2Layout::parse(head, walk.sb());
    if (!layout || !holds_chunks(*layout, walk))
        return walk.corrupt("the header of the chunk index is wrong", address);
    if (!walk.defined(layout->root().address)) return {};
    return Btree2(walk, *layout).node(layout->root());
}

}  // namespace sluice::hdf5
