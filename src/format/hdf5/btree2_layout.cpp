// How the nodes of a version 2 B-tree are laid out.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/btree2_layout.h"

#include <algorithm>
#include <bit>

namespace sluice::hdf5 {
namespace {

constexpr std::uint64_t mark_bytes = 6;  ///< mark, version and type
constexpr std::uint64_t frame_bytes = mark_bytes + 4;

/// Bytes the library uses for a number up to `limit`.
unsigned width_for(std::uint64_t limit) {
    return (static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(limit, 1))) - 1) / 8 + 1;
}

}  // namespace

std::uint64_t Btree2Layout::head_bytes(Superblock const& sb) {
    return 22 + sb.address_bytes + sb.length_bytes;
}

std::optional<Btree2Layout> Btree2Layout::parse(Bytes head, Superblock const& sb) {
    Btree2Layout l;
    l.address_bytes_ = sb.address_bytes;
    Cursor c(head);
    bool const known = c.literal(head_mark) && c.byte() == 0;
    l.type_ = c.byte();
    l.node_bytes_ = c.number(4);
    l.record_bytes_ = c.number(2);
    l.root_.depth = static_cast<unsigned>(c.number(2));
    c.take(2);
    l.root_.address = c.number(sb.address_bytes);
    l.root_.records = c.number(2);
    if (!known || !c.ok() || l.record_bytes_ == 0 ||
        l.node_bytes_ <= frame_bytes + l.record_bytes_ || l.root_.depth > 32)
        return {};
    l.size_widths();
    return l;
}

/// How wide the record counts beside child addresses are: it follows from how many records fit.
void Btree2Layout::size_widths() {
    std::uint64_t most = (node_bytes_ - frame_bytes) / record_bytes_, all = most;
    count_width_ = width_for(most);
    total_widths_ = {0};
    for (unsigned depth = 1; depth <= root_.depth; ++depth) {
        std::uint64_t const pointer = child_bytes(depth);
        most = node_bytes_ > frame_bytes + pointer
                   ? (node_bytes_ - frame_bytes - pointer) / (record_bytes_ + pointer)
                   : 0;
        bool const fits = all < (~std::uint64_t{0} - most) / (most + 1);
        all = fits ? (most + 1) * all + most : ~std::uint64_t{0};
        total_widths_.push_back(width_for(all));
    }
}

/// What a node of this depth says of each child. Leaves have no total beside their count.
std::uint64_t Btree2Layout::child_bytes(unsigned depth) const {
    return address_bytes_ + count_width_ + total_widths_[depth - 1];
}

std::optional<std::uint64_t> Btree2Layout::used_bytes(Node const& n) const {
    std::uint64_t const used = frame_bytes + n.records * record_bytes_ +
                               (n.depth > 0 ? (n.records + 1) * child_bytes(n.depth) : 0);
    if (used > node_bytes_) return {};
    return used;
}

Bytes Btree2Layout::records(Bytes node, Node const& n) const {
    return node.subspan(mark_bytes, static_cast<std::size_t>(n.records * record_bytes_));
}

Cursor Btree2Layout::children(Bytes node, Node const& n) const {
    return Cursor(node.subspan(mark_bytes + records(node, n).size()));
}

Btree2Layout::Node Btree2Layout::take_child(Cursor& c, Node const& parent) const {
    Node child;
    child.address = c.number(address_bytes_);
    child.records = c.number(count_width_);
    child.depth = parent.depth - 1;
    c.take(total_widths_[child.depth]);
    return child;
}

}  // namespace sluice::hdf5
