// Groups of the first format: a version 1 B-tree of symbol nodes, names in a local heap.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/heaps.h"
#include "format/hdf5/object/links.h"

namespace sluice::hdf5::object {
namespace {

class SymbolTable {
  public:
    SymbolTable(Source const& source, LocalHeap const& heap, std::optional<std::string_view> name,
                OnLink const& visit)
        : source_(source), heap_(heap), name_(name), visit_(visit) {}

    /// A node of the tree (specification 3.0, section III.A.1); level -1: any.
    Status tree(std::uint64_t address, int level) {
        unsigned const a = source_.address_bytes(), l = source_.length_bytes();
        SLUICE_TRY(auto head, source_.block(address, 8));
        Cursor h(head);
        bool const ok = h.literal("TREE") && h.byte() == 0;
        int const here = h.byte();
        std::uint64_t const used = h.number(2);
        if (!ok || (level >= 0 && here != level))
            return source_.corrupt("a node of a group's index has a wrong header", address);
        SLUICE_TRY(auto bytes, source_.block(address + 8, 2 * a + used * (a + l) + l));
        Cursor c(bytes);
        c.take(2 * a);
        std::uint64_t low = take_length(c, source_);
        for (std::uint64_t i = 0; i < used && going_on_; ++i) {
            std::uint64_t const child = take_address(c, source_), high = take_length(c, source_);
            SLUICE_TRY(bool const wanted, between(low, high, address));
            if (wanted) SLUICE_CHECK(here > 0 ? tree(child, here - 1) : node(child));
            low = high;
        }
        return {};
    }

  private:
    Result<std::string_view> text(std::uint64_t offset, std::uint64_t address) const {
        auto const t = heap_.text(offset);
        if (!t) return source_.corrupt("the name of a link lies outside of its heap", address);
        return *t;
    }

    /// Whether the name may be in a child: behind the key before it, up to the one after it.
    Result<bool> between(std::uint64_t low, std::uint64_t high, std::uint64_t address) const {
        if (!name_) return true;
        SLUICE_TRY(auto const before, text(low, address));
        SLUICE_TRY(auto const last, text(high, address));
        return before < *name_ && *name_ <= last;
    }

    Status node(std::uint64_t address) {
        SLUICE_TRY(auto head, source_.block(address, 8));
        Cursor h(head);
        bool const ok = h.literal("SNOD") && h.byte() == 1;
        h.take(1);
        std::uint64_t const used = h.number(2);
        if (!ok) return source_.corrupt("a node of a group has a wrong header", address);
        std::uint64_t const entry = source_.address_bytes() + source_.length_bytes() + 24;
        SLUICE_TRY(auto bytes, source_.block(address + 8, used * entry));
        for (std::uint64_t i = 0; i < used && going_on_; ++i)
            SLUICE_CHECK(symbol(Bytes(bytes).subspan(i * entry, entry), address + 8 + i * entry));
        return {};
    }

    Status symbol(Bytes bytes, std::uint64_t address) {
        constexpr std::uint64_t soft = 2;
        Cursor c(bytes);
        std::uint64_t const name_at = take_length(c, source_);
        Link link;
        link.address = take_address(c, source_);
        std::uint64_t const kind = c.number(4);
        c.take(4);
        std::uint64_t const target = c.number(4);
        SLUICE_TRY(auto const name, text(name_at, address));
        if (name_ && name != *name_) return {};
        link.name = name;
        if (kind == soft) {
            link.kind = LinkKind::soft;
            SLUICE_TRY(link.target, text(target, address));
        }
        SLUICE_TRY(going_on_, visit_(std::move(link)));
        if (name_) going_on_ = false;
        return {};
    }

    Source const& source_;
    LocalHeap const& heap_;
    std::optional<std::string_view> name_;
    OnLink const& visit_;
    bool going_on_ = true;
};

}  // namespace

Status visit_symbol_table(Source const& source, Message const& table,
                          std::optional<std::string_view> name, OnLink const& visit) {
    Cursor c(table.body);
    std::uint64_t const tree = take_address(c, source), heap_at = take_address(c, source);
    if (!c.ok()) return source.corrupt("the symbol table of a group is cut off", table.address);
    SLUICE_TRY(LocalHeap const heap, LocalHeap::read(source, heap_at));
    return SymbolTable(source, heap, name, visit).tree(tree, -1);
}

}  // namespace sluice::hdf5::object
