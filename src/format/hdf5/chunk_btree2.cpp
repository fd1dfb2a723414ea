// The version 2 B-tree as a chunk index (datasets with two or more unlimited dimensions).
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "format/hdf5/chunk_walk.h"

namespace sluice::hdf5 {
namespace {

/// Bytes the library uses for a number up to `limit`.
unsigned width_for(std::uint64_t limit) {
    return (static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(limit, 1))) - 1) / 8 + 1;
}

class Btree2 {
  public:
    explicit Btree2(ChunkWalk& walk) : walk_(walk), position_(walk.grid().chunk.size()) {}

    Status tree() {
        std::uint64_t const address = walk_.layout().address;
        unsigned const a = walk_.sb().address_bytes;
        SLUICE_TRY(auto bytes, walk_.block(address, 22 + a + walk_.sb().length_bytes));
        Cursor c(bytes);
        bool ok = c.literal("BTHD") && c.byte() == 0;
        unsigned const type = c.byte();
        node_bytes_ = c.number(4);
        record_bytes_ = c.number(2);
        unsigned const depth = static_cast<unsigned>(c.number(2));
        c.take(2);
        std::uint64_t const root = c.number(a);
        std::uint64_t const in_root = c.number(2);
        filtered_ = type == 11;
        std::uint64_t const fixed = a + 8 * position_.size() + (filtered_ ? 4 : 0);
        std::uint64_t const size_width = record_bytes_ - fixed;
        ok = ok && c.ok() && (type == 10 || type == 11) && record_bytes_ >= fixed &&
             (filtered_ ? size_width >= 1 && size_width <= 8 : size_width == 0);
        if (!ok || node_bytes_ <= 10 + record_bytes_ || depth > 32)
            return walk_.corrupt("the head of the chunk index is not one", address);
        size_widths(depth);
        return walk_.defined(root) ? node(root, in_root, depth) : Status{};
    }

  private:
    /// How wide the record counts beside child addresses are: it follows from how many records fit.
    void size_widths(unsigned depth) {
        std::uint64_t most = (node_bytes_ - 10) / record_bytes_, all = most;
        count_width_ = width_for(most);
        total_widths_ = {0};
        for (unsigned level = 1; level <= depth; ++level) {
            std::uint64_t const pointer =
                walk_.sb().address_bytes + count_width_ + total_widths_.back();
            most = node_bytes_ > 10 + pointer
                       ? (node_bytes_ - 10 - pointer) / (record_bytes_ + pointer)
                       : 0;
            bool const fits = all < (~std::uint64_t{0} - most) / (most + 1);
            all = fits ? (most + 1) * all + most : ~std::uint64_t{0};
            total_widths_.push_back(width_for(all));
        }
    }

    Status node(std::uint64_t address, std::uint64_t records, unsigned depth) {
        SLUICE_TRY(auto bytes, walk_.block(address, node_bytes_));
        Cursor c(bytes);
        if (!c.literal(depth == 0 ? "BTLF" : "BTIN"))
            return walk_.corrupt("a node of the chunk index is not one", address);
        c.take(2);
        for (std::uint64_t i = 0; i < records && c.ok(); ++i) SLUICE_CHECK(record(c));
        for (std::uint64_t i = 0; depth > 0 && i <= records && c.ok(); ++i) {
            std::uint64_t const child = c.number(walk_.sb().address_bytes);
            std::uint64_t const inside = c.number(count_width_);
            c.take(depth > 1 ? total_widths_[depth - 1] : 0);
            if (c.ok()) SLUICE_CHECK(node(child, inside, depth - 1));
        }
        if (!c.ok()) return walk_.corrupt("a node of the chunk index is cut off", address);
        return {};
    }

    Status record(Cursor& c) {
        Bytes const bytes = c.take(record_bytes_);
        if (!c.ok()) return {};
        Cursor r(bytes);
        std::uint64_t const entry = record_bytes_ - 8 * position_.size();
        Stored const s = read_entry(r, walk_, entry, filtered_);
        for (std::uint64_t& p : position_) p = r.number(8);
        return walk_.add(position_, s);
    }

    ChunkWalk& walk_;
    std::vector<std::uint64_t> position_;
    std::uint64_t node_bytes_ = 0, record_bytes_ = 0;
    unsigned count_width_ = 1;
    std::vector<unsigned> total_widths_;  // by depth
    bool filtered_ = false;
};

}  // namespace

Status walk_btree2(ChunkWalk& walk) {
    return Btree2(walk).tree();
}

}  // namespace sluice::hdf5
