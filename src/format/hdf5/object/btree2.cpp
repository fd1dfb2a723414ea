// Walking version 2 B-trees (specification 3.0, section III.A.2).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/btree2.h"

#include <bit>

namespace sluice::hdf5::object {
namespace {

/// Bytes the library uses for a number up to `limit`.
unsigned width_for(std::uint64_t limit) {
    return (static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(limit, 1))) - 1) / 8 + 1;
}

class Walk {
  public:
    Walk(Source const& source, OnRecord const& visit, Place const& place)
        : source_(source), visit_(visit), place_(place) {}

    Status tree(std::uint64_t address, RecordType type, std::uint64_t record_bytes) {
        unsigned const a = source_.address_bytes();
        SLUICE_TRY(auto bytes, source_.summed_block(address, 22 + a + source_.length_bytes(),
                                                    "BTHD", "a sorted index (B-tree)"));
        Cursor c(bytes);
        c.take(4);
        bool ok = c.byte() == 0 && c.byte() == static_cast<unsigned>(type);
        node_bytes_ = c.number(4);
        record_bytes_ = c.number(2);
        unsigned const depth = static_cast<unsigned>(c.number(2));
        c.take(2);
        std::uint64_t const root = take_address(c, source_);
        std::uint64_t const in_root = c.number(2);
        ok = ok && record_bytes_ >= record_bytes && record_bytes_ > 0 &&
             node_bytes_ > 10 + record_bytes_ && depth <= 32;
        if (!ok) return source_.corrupt("the head of a sorted index is wrong", address);
        size_widths(depth);
        return source_.defined(root) ? node(root, in_root, depth) : Status{};
    }

  private:
    /// How wide the record counts beside child addresses are: it follows from how many records fit.
    void size_widths(unsigned depth) {
        std::uint64_t most = (node_bytes_ - 10) / record_bytes_, all = most;
        count_width_ = width_for(most);
        total_widths_ = {0};
        for (unsigned level = 1; level <= depth; ++level) {
            std::uint64_t const pointer =
                source_.address_bytes() + count_width_ + total_widths_.back();
            most = node_bytes_ > 10 + pointer
                       ? (node_bytes_ - 10 - pointer) / (record_bytes_ + pointer)
                       : 0;
            bool const fits = all < (~std::uint64_t{0} - most) / (most + 1);
            all = fits ? (most + 1) * all + most : ~std::uint64_t{0};
            total_widths_.push_back(width_for(all));
        }
    }

    std::uint64_t used_bytes(std::uint64_t records, unsigned depth) const {
        std::uint64_t const pointer =
            source_.address_bytes() + count_width_ + (depth > 1 ? total_widths_[depth - 1] : 0);
        return 10 + records * record_bytes_ + (depth > 0 ? (records + 1) * pointer : 0);
    }

    Status node(std::uint64_t address, std::uint64_t records, unsigned depth) {
        std::uint64_t const used = used_bytes(records, depth);
        if (used > node_bytes_)
            return source_.corrupt("a node of a sorted index is too full", address);
        SLUICE_TRY(auto bytes, source_.summed_block(address, used, depth == 0 ? "BTLF" : "BTIN",
                                                    "a node of a sorted index"));
        Bytes const all = Bytes(bytes).subspan(6, records * record_bytes_);
        Cursor children(Bytes(bytes).subspan(6 + all.size()));
        // Between a record before those looked for and one after them a child may hold some.
        int before = place_ ? -1 : 0;
        for (std::uint64_t i = 0; i <= records && going_on_; ++i) {
            bool const last = i == records;
            Bytes const record = last ? Bytes{} : all.subspan(i * record_bytes_, record_bytes_);
            int const after = last ? 1 : place_ ? place_(record) : 0;
            if (depth > 0) SLUICE_CHECK(child(children, depth, before <= 0 && after >= 0));
            if (!last && after == 0 && going_on_) {
                SLUICE_TRY(going_on_, visit_(record));
            }
            before = after;
        }
        return {};
    }

    Status child(Cursor& c, unsigned depth, bool wanted) {
        std::uint64_t const address = take_address(c, source_);
        std::uint64_t const inside = c.number(count_width_);
        c.take(depth > 1 ? total_widths_[depth - 1] : 0);
        return wanted ? node(address, inside, depth - 1) : Status{};
    }

    Source const& source_;
    OnRecord const& visit_;
    Place const& place_;
    std::uint64_t node_bytes_ = 0, record_bytes_ = 0;
    unsigned count_width_ = 1;
    std::vector<unsigned> total_widths_;  // by depth
    bool going_on_ = true;
};

}  // namespace

Status walk_records(Source const& source, std::uint64_t address, RecordType type,
                    std::uint64_t record_bytes, OnRecord const& visit, Place const& place) {
    return Walk(source, visit, place).tree(address, type, record_bytes);
}

}  // namespace sluice::hdf5::object
