// Walking version 2 B-trees (specification 3.0, section III.A.2).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/btree2.h"

#include "format/hdf5/btree2_layout.h"

namespace sluice::hdf5::object {
namespace {

class Walk {
  public:
    Walk(Source const& source, Btree2Layout const& layout, OnRecord const& visit,
         Place const& place)
        : source_(source), layout_(layout), visit_(visit), place_(place) {}

    Status node(Btree2Layout::Node const& n) {
        auto const used = layout_.used_bytes(n);
        if (!used) return source_.corrupt("a node of a sorted index is too full", n.address);
        SLUICE_TRY(auto bytes, source_.summed_block(n.address, *used, Btree2Layout::mark(n),
                                                    "a node of a sorted index"));
        Cursor records(layout_.records(bytes, n));
        Cursor children = layout_.children(bytes, n);
        // Between a record before those looked for and one after them a child may hold some.
        int before = place_ ? -1 : 0;
        for (std::uint64_t i = 0; i <= n.records && going_on_; ++i) {
            bool const last = i == n.records;
            Bytes const record = last ? Bytes{} : records.take(layout_.record_bytes());
            int const after = last ? 1 : place_ ? place_(record) : 0;
            if (n.depth > 0) {
                Btree2Layout::Node const child = layout_.take_child(children, n);
                if (before <= 0 && after >= 0) SLUICE_CHECK(node(child));
            }
            if (!last && after == 0 && going_on_) {
                SLUICE_TRY(going_on_, visit_(record));
            }
            before = after;
        }
        return {};
    }

  private:
    Source const& source_;
    Btree2Layout const& layout_;
    OnRecord const& visit_;
    Place const& place_;
    bool going_on_ = true;
};

}  // namespace

Status walk_records(Source const& source, std::uint64_t address, RecordType type,
                    std::uint64_t record_bytes, OnRecord const& visit, Place const& place) {
    SLUICE_TRY(auto head, source.summed_block(address, Btree2Layout::head_bytes(source.sb()),
                                              Btree2Layout::head_mark, "a sorted index (B-tree)"));
    auto const layout = Btree2Layout::parse(head, source.sb());
    if (!layout || layout->type() != static_cast<unsigned>(type) ||
        layout->record_bytes() < record_bytes)
        return source.corrupt("the head of a sorted index is wrong", address);
    if (!source.defined(layout->root().address)) return {};
    return Walk(source, *layout, visit, place).node(layout->root());
}

}  // namespace sluice::hdf5::object
