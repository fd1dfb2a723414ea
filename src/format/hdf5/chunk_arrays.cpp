// Fixed arrays (no unlimited dimension) and extensible arrays (one) as chunk indexes.
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "format/hdf5/chunk_walk.h"

namespace sluice::hdf5 {
namespace {

constexpr std::uint64_t sum_bytes = 4;  ///< a checksum ends every block

/// Adds elements `first` and on, as many as `bytes` holds.
Status add_elements(ChunkWalk& walk, Bytes bytes, std::uint64_t first, std::uint64_t entry,
                    bool filtered) {
    Cursor c(bytes);
    for (std::uint64_t i = first; c.rest().size() >= entry; ++i)
        SLUICE_CHECK(walk.add_element(i, read_entry(c, walk, entry, filtered)));
    return {};
}

/// Bit `i` of a page bitmap, the highest bit of a byte first.
bool page_used(Bytes bitmap, std::uint64_t i) {
    return (std::to_integer<unsigned>(bitmap[static_cast<std::size_t>(i / 8)]) >> (7 - i % 8) &
            1) != 0;
}

/// Pages of `page` elements, each followed by a checksum, `n` elements together.
Status add_pages(ChunkWalk& walk, std::uint64_t address, std::uint64_t first, std::uint64_t n,
                 std::uint64_t page, std::uint64_t entry, bool filtered, Bytes bitmap,
                 std::uint64_t bit) {
    // A page without a bit was never written; stopping there bounds the loop by the bitmap.
    for (std::uint64_t done = 0; done < n && bit / 8 < bitmap.size(); done += page, ++bit) {
        std::uint64_t const here = std::min(page, n - done);
        if (page_used(bitmap, bit)) {
            SLUICE_TRY(auto bytes, walk.summed_block(address, here * entry + sum_bytes, {}));
            Bytes const elements = Bytes(bytes).first(here * entry);
            SLUICE_CHECK(add_elements(walk, elements, first + done, entry, filtered));
        }
        address += page * entry + sum_bytes;
    }
    return {};
}

class ExtensibleArray {
  public:
    explicit ExtensibleArray(ChunkWalk& walk) : walk_(walk) {}

    Status array() {
        std::uint64_t const address = walk_.layout().address;
        unsigned const a = walk_.sb().address_bytes, l = walk_.sb().length_bytes;
        SLUICE_TRY(auto bytes, walk_.summed_block(address, 12 + 6 * l + a + sum_bytes, "EAHD"));
        Cursor c(bytes);
        c.take(4);
        bool ok = c.byte() == 0;
        filtered_ = c.byte() == 1;
        entry_ = c.byte();
        max_bits_ = c.byte();
        in_index_ = c.byte();
        min_elements_ = c.byte();
        min_pointers_ = c.byte();
        page_bits_ = c.byte();
        c.take(4 * l);
        used_ = c.number(l);
        c.take(l);
        std::uint64_t const index_block = c.number(a);
        ok = ok && c.ok() && entry_ok(walk_, entry_, filtered_) && max_bits_ <= 62 &&
             std::has_single_bit(min_elements_) && std::has_single_bit(min_pointers_) &&
             page_bits_ < 32 && max_bits_ >= std::bit_width(min_elements_) - 1u;
        if (!ok) return walk_.corrupt("the head of the chunk index is not one", address);
        return walk_.defined(index_block) ? read_index_block(index_block) : Status{};
    }

  private:
    /// A super block is a group of data blocks of one size; sizes double every second one.
    static std::uint64_t blocks_in(unsigned super) { return std::uint64_t{1} << (super / 2); }
    std::uint64_t elements_in(unsigned super) const { return min_elements_ << ((super + 1) / 2); }
    std::uint64_t offset_bytes() const { return (max_bits_ + 7) / 8; }

    Status read_index_block(std::uint64_t address) {
        unsigned const a = walk_.sb().address_bytes;
        auto const log2 = [](std::uint64_t v) {
            return static_cast<unsigned>(std::bit_width(v)) - 1;
        };
        unsigned const supers = 1 + max_bits_ - log2(min_elements_);
        unsigned const direct = std::min(2 * log2(min_pointers_), supers);
        std::uint64_t const data_blocks = 2 * (min_pointers_ - 1);
        std::uint64_t const size =
            6 + a + in_index_ * entry_ + (data_blocks + supers - direct) * a + sum_bytes;
        SLUICE_TRY(auto bytes, walk_.summed_block(address, size, "EAIB"));
        Cursor c(bytes);
        c.take(6 + a);
        SLUICE_CHECK(add_elements(walk_, c.take(in_index_ * entry_), 0, entry_, filtered_));
        std::uint64_t first = in_index_;
        for (unsigned s = 0; s < direct; ++s)
            for (std::uint64_t b = 0; b < blocks_in(s); ++b, first += elements_in(s))
                SLUICE_CHECK(data_block(c.number(a), first, elements_in(s), {}, 0));
        for (unsigned s = direct; s < supers && first < used_; ++s) {
            SLUICE_CHECK(super_block(c.number(a), first, s));
            first += blocks_in(s) * elements_in(s);
        }
        return {};
    }

    Status super_block(std::uint64_t address, std::uint64_t first, unsigned super) {
        if (!walk_.defined(address)) return {};
        unsigned const a = walk_.sb().address_bytes;
        std::uint64_t const blocks = blocks_in(super), elements = elements_in(super);
        std::uint64_t const page = std::uint64_t{1} << page_bits_;
        std::uint64_t const pages = elements > page ? elements / page : 0;
        std::uint64_t const bitmap_bytes = blocks * ((pages + 7) / 8);
        std::uint64_t const size = 6 + a + offset_bytes() + bitmap_bytes + blocks * a + sum_bytes;
        SLUICE_TRY(auto bytes, walk_.summed_block(address, size, "EASB"));
        Cursor c(bytes);
        c.take(6 + a + offset_bytes());
        Bytes const bitmap = c.take(bitmap_bytes);
        for (std::uint64_t b = 0; b < blocks && first < used_; ++b, first += elements)
            SLUICE_CHECK(data_block(c.number(a), first, elements, bitmap, b * pages));
        return {};
    }

    Status data_block(std::uint64_t address, std::uint64_t first, std::uint64_t elements,
                      Bytes bitmap, std::uint64_t bit) {
        if (!walk_.defined(address)) return {};
        std::uint64_t const page = std::uint64_t{1} << page_bits_;
        std::uint64_t const prefix = 6 + walk_.sb().address_bytes + offset_bytes();
        bool const paged = elements > page;
        if (!paged && elements > walk_.file_size() / entry_)
            return walk_.corrupt("a block of the chunk index is longer than the file", address);
        std::uint64_t const inside = paged ? 0 : elements * entry_;
        SLUICE_TRY(auto bytes, walk_.summed_block(address, prefix + inside + sum_bytes, "EADB"));
        if (!paged)
            return add_elements(walk_, Bytes(bytes).subspan(prefix, inside), first, entry_,
                                filtered_);
        return add_pages(walk_, address + prefix + sum_bytes, first, elements, page, entry_,
                         filtered_, bitmap, bit);
    }

    ChunkWalk& walk_;
    bool filtered_ = false;
    std::uint64_t entry_ = 0, in_index_ = 0, min_elements_ = 0, min_pointers_ = 0, used_ = 0;
    unsigned max_bits_ = 0, page_bits_ = 0;
};

}  // namespace

Status walk_fixed_array(ChunkWalk& walk) {
    std::uint64_t const address = walk.layout().address;
    unsigned const a = walk.sb().address_bytes;
    SLUICE_TRY(auto head,
               walk.summed_block(address, 8 + walk.sb().length_bytes + a + sum_bytes, "FAHD"));
    Cursor h(head);
    h.take(4);
    bool ok = h.byte() == 0;
    bool const filtered = h.byte() == 1;
    std::uint64_t const entry = h.byte();
    unsigned const page_bits = h.byte();
    std::uint64_t const n = h.number(walk.sb().length_bytes);
    std::uint64_t const block = h.number(a);
    ok =
        ok && h.ok() && entry_ok(walk, entry, filtered) && page_bits < 32 && n == walk.array_size();
    if (!ok) return walk.corrupt("the head of the chunk index is not one", address);
    if (!walk.defined(block)) return {};
    if (n > walk.file_size() / entry)
        return walk.corrupt("the chunk index is longer than its file", block);
    std::uint64_t const page = std::uint64_t{1} << page_bits;
    bool const paged = n > page;
    std::uint64_t const bitmap_bytes = paged ? ((n + page - 1) / page + 7) / 8 : 0;
    std::uint64_t const prefix = 6 + a, inside = paged ? bitmap_bytes : n * entry;
    SLUICE_TRY(auto bytes, walk.summed_block(block, prefix + inside + sum_bytes, "FADB"));
    Bytes const content = Bytes(bytes).subspan(prefix, inside);
    if (!paged) return add_elements(walk, content, 0, entry, filtered);
    return add_pages(walk, block + prefix + inside + sum_bytes, 0, n, page, entry, filtered,
                     content, 0);
}

Status walk_extensible_array(ChunkWalk& walk) {
    // The library numbers the chunks with the unlimited dimension slowest.
    auto const& max = walk.grid().max;
    auto const free = std::find(max.begin(), max.end(), ~std::uint64_t{0});
    if (free == max.end())
        return Error{Code::unsupported, "an extensible array without an unlimited dimension"};
    walk.number_by(static_cast<std::size_t>(free - max.begin()));
    return ExtensibleArray(walk).array();
}

}  // namespace sluice::hdf5
