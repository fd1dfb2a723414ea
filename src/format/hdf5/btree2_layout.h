// Btree2Layout: how the nodes of a version 2 B-tree are laid out (specification 3.0, III.A.2).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "format/hdf5/superblock.h"

namespace sluice::hdf5 {

/// Indexes of chunks and of objects walk the same tree; only their records differ.
class Btree2Layout {
  public:
    struct Node {
        std::uint64_t address = 0;
        std::uint64_t records = 0;  ///< in this node alone
        unsigned depth = 0;         ///< 0: a leaf
    };

    static constexpr std::string_view head_mark = "BTHD";
    /// Bytes of a head, from its mark to its checksum.
    static std::uint64_t head_bytes(Superblock const& sb);
    /// Nothing if `head` is not the head of a tree.
    static std::optional<Btree2Layout> parse(Bytes head, Superblock const& sb);

    unsigned type() const { return type_; }
    std::uint64_t record_bytes() const { return record_bytes_; }
    Node const& root() const { return root_; }
    static std::string_view mark(Node const& n) { return n.depth == 0 ? "BTLF" : "BTIN"; }

    /// Bytes of a node, from its mark to its checksum; nothing if it says more than it can hold.
    std::optional<std::uint64_t> used_bytes(Node const& n) const;
    /// The records of a node's bytes.
    Bytes records(Bytes node, Node const& n) const;
    /// Behind the records: a cursor at the first child of an inner node.
    Cursor children(Bytes node, Node const& n) const;
    Node take_child(Cursor& c, Node const& parent) const;

  private:
    void size_widths();
    std::uint64_t child_bytes(unsigned depth) const;
    unsigned address_bytes_ = 0, type_ = 0;
    std::uint64_t node_bytes_ = 0, record_bytes_ = 0;
    Node root_;
    unsigned count_width_ = 1;
    std::vector<unsigned> total_widths_;  // by depth
};

}  // namespace sluice::hdf5
