// Reading fractal heaps (specification 3.0, section III.G).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/fractal_heap.h"

#include <fmt/format.h>

#include <bit>

#include "base/bytes.h"
#include "format/hdf5/checksum.h"
#include "format/hdf5/object/btree2.h"

namespace sluice::hdf5::object {
namespace {

unsigned log2(std::uint64_t power) {
    return static_cast<unsigned>(std::bit_width(power)) - 1;
}

/// The library's widths of lengths: enough for the largest object, but no more than for the
/// largest block.
unsigned length_width(std::uint64_t largest_block, std::uint64_t largest_object) {
    unsigned const block = (log2(largest_block) + 7) / 8;
    unsigned const object = log2(std::max<std::uint64_t>(largest_object, 1)) / 8 + 1;
    return std::min(block, object);
}

constexpr std::string_view heap_block = "a block of a heap";

}  // namespace

Result<FractalHeap> FractalHeap::open(Source const& source, std::uint64_t address) {
    unsigned const a = source.address_bytes(), l = source.length_bytes();
    // What comes before the address of the huge objects' index ends with the filters' length.
    SLUICE_TRY(auto bytes, source.block(address, 26 + 12 * l + 3 * a));
    Cursor c(bytes);
    if (!c.literal("FRHP") || c.byte() != 0)
        return source.corrupt("a heap has a wrong header", address);
    FractalHeap heap(source);
    heap.address_ = address;
    heap.id_bytes_ = c.number(2);
    if (c.number(2) != 0)
        return source.unsupported(
            "a group or its attributes are compressed (no writer is known that does so); rewrite "
            "the file with h5repack",
            address);
    if (!source.sum_holds(bytes))
        return source.corrupt("a heap does not have its checksum", address);
    SLUICE_CHECK(heap.parse(c.rest(), address));
    return heap;
}

Status FractalHeap::parse(Bytes bytes, std::uint64_t address) {
    unsigned const l = source_->length_bytes();
    Cursor c(bytes);
    summed_blocks_ = (c.byte() & 2) != 0;
    largest_managed_ = c.number(4);
    c.take(l);
    huge_index_ = take_address(c, *source_);
    c.take(l + source_->address_bytes() + 8 * l);
    width_ = c.number(2);
    first_block_ = take_length(c, *source_);
    largest_direct_ = take_length(c, *source_);
    heap_bits_ = static_cast<unsigned>(c.number(2));
    c.take(2);
    root_ = take_address(c, *source_);
    root_rows_ = static_cast<unsigned>(c.number(2));
    if (!c.ok()) return source_->corrupt("a heap is cut off", address);
    return check(address);
}

Status FractalHeap::check(std::uint64_t address) const {
    auto const power = [](std::uint64_t v) { return std::has_single_bit(v); };
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    bool const ok = power(width_) && power(first_block_) && power(largest_direct_) &&
                    first_block_ <= largest_direct_ && largest_direct_ <= most &&
                    largest_direct_ > 1 && heap_bits_ >= 1 && heap_bits_ <= 63 && id_bytes_ >= 1 &&
                    id_bytes_ <= 4096 && root_rows_ <= 64 &&
                    log2(first_block_) + log2(width_) + std::max(root_rows_, 1u) <= 64;
    return ok ? Status{} : source_->corrupt("the head of a heap is wrong", address);
}

std::uint64_t FractalHeap::row_block(unsigned row) const {
    return row == 0 ? first_block_ : first_block_ << (row - 1);
}

std::uint64_t FractalHeap::row_start(unsigned row) const {
    return row == 0 ? 0 : (first_block_ * width_) << (row - 1);
}

unsigned FractalHeap::row_at(std::uint64_t offset) const {
    std::uint64_t const first_row = first_block_ * width_;
    return offset < first_row ? 0 : log2(offset) - log2(first_row) + 1;
}

unsigned FractalHeap::direct_rows() const {
    return log2(largest_direct_) - log2(first_block_) + 2;
}

unsigned FractalHeap::rows_of(std::uint64_t block_bytes) const {
    unsigned const bits = log2(block_bytes), first = log2(first_block_) + log2(width_);
    return bits < first ? 0 : bits - first + 1;
}

Result<FractalHeap::Place> FractalHeap::find_block(std::uint64_t offset) {
    Error const outside = source_->corrupt("an object of a heap lies outside of it", address_);
    if (!source_->defined(root_)) return outside;
    if (root_rows_ == 0) return Place{root_, 0, first_block_};
    Place here{root_, 0, 0};
    unsigned rows = root_rows_;
    unsigned const direct = direct_rows(), a = source_->address_bytes();
    // Every level is at most half as wide as the one above it.
    for (int level = 0; level < 64; ++level) {
        std::uint64_t const inside = offset - here.start;
        unsigned const row = row_at(inside);
        if (row >= rows) return outside;
        std::uint64_t const col = (inside - row_start(row)) / row_block(row);
        std::uint64_t const prefix = 5 + a + offset_bytes();
        SLUICE_TRY(Bytes const bytes, indirect_block(here.address, prefix + rows * width_ * a + 4));
        Cursor c(bytes.subspan(prefix + (row * width_ + col) * a));
        std::uint64_t const child = take_address(c, *source_);
        if (!source_->defined(child)) return outside;
        here = {child, here.start + row_start(row) + col * row_block(row), row_block(row)};
        if (row < direct) return here;
        rows = rows_of(here.bytes);
    }
    return outside;
}

Bytes FractalHeap::keep(std::uint64_t address, std::vector<std::byte> block) {
    constexpr std::uint64_t most = std::uint64_t{32} << 20;
    if (kept_bytes_ + block.size() > most) {
        kept_.clear();
        kept_bytes_ = 0;
    }
    kept_bytes_ += block.size();
    return kept_.insert_or_assign(address, std::move(block)).first->second;
}

Result<Bytes> FractalHeap::indirect_block(std::uint64_t address, std::uint64_t bytes) {
    auto const known = kept_.find(address);
    if (known != kept_.end() && known->second.size() == bytes) return Bytes(known->second);
    SLUICE_TRY(auto block, source_->summed_block(address, bytes, "FHIB", heap_block));
    return keep(address, std::move(block));
}

Result<Bytes> FractalHeap::direct_block(Place const& place) {
    auto const known = kept_.find(place.address);
    if (known != kept_.end() && known->second.size() == place.bytes) return Bytes(known->second);
    SLUICE_TRY(auto block, source_->block(place.address, place.bytes));
    std::size_t const sum_at = 5 + source_->address_bytes() + offset_bytes();
    bool ok = Cursor(block).literal("FHDB") && block.size() >= sum_at + 4;
    if (ok && summed_blocks_ && source_->sums() == Sums::compare) {
        auto const sum = load_le<std::uint32_t>(block.data() + sum_at);
        // It is the sum of the block with zeros in its own place.
        std::fill_n(block.begin() + static_cast<std::ptrdiff_t>(sum_at), 4, std::byte{});
        ok = checksum(block) == sum;
    }
    if (!ok) return source_->corrupt("a block of a heap does not have its checksum", place.address);
    return keep(place.address, std::move(block));
}

Result<std::vector<std::byte>> FractalHeap::managed(Bytes id) {
    Cursor c(id);
    c.take(1);
    std::uint64_t const offset = c.number(static_cast<unsigned>(offset_bytes()));
    std::uint64_t const bytes = c.number(length_width(largest_direct_, largest_managed_));
    if (!c.ok() || offset >> heap_bits_ != 0)
        return source_->corrupt("an object of a heap lies outside of it", address_);
    SLUICE_TRY(Place const place, find_block(offset));
    std::uint64_t const from = offset - place.start;
    if (from > place.bytes || bytes > place.bytes - from)
        return source_->corrupt("an object of a heap is longer than its block", place.address);
    SLUICE_TRY(Bytes const block, direct_block(place));
    Bytes const object = block.subspan(static_cast<std::size_t>(from), bytes);
    return std::vector(object.begin(), object.end());
}

Result<std::vector<std::byte>> FractalHeap::huge(Bytes id) {
    unsigned const a = source_->address_bytes(), l = source_->length_bytes();
    Cursor c(id);
    c.take(1);
    // As the library decides it: what fits into the identifier is there.
    if (id_bytes_ - 1 >= a + l) {
        std::uint64_t const at = take_address(c, *source_);
        return source_->block(at, take_length(c, *source_));
    }
    unsigned const width = std::min<unsigned>(l, static_cast<unsigned>(id_bytes_ - 1));
    std::uint64_t const key = c.number(width);
    if (!c.ok() || !source_->defined(huge_index_))
        return source_->corrupt("a large object of a heap has no place", address_);
    auto const key_of = [&](Bytes record) {
        Cursor r(record);
        r.take(a + l);
        return take_length(r, *source_);
    };
    std::uint64_t at = 0, bytes = 0;
    bool found = false;
    auto const take = [&](Bytes record) -> Result<bool> {
        Cursor r(record);
        at = take_address(r, *source_);
        bytes = take_length(r, *source_);
        found = true;
        return false;
    };
    auto const place = [&](Bytes record) {
        std::uint64_t const k = key_of(record);
        return k < key ? -1 : k > key;
    };
    SLUICE_CHECK(walk_records(*source_, huge_index_, RecordType::huge, a + 2 * l, take, place));
    if (!found) return source_->corrupt("a large object of a heap has no place", address_);
    return source_->block(at, bytes);
}

Result<std::vector<std::byte>> FractalHeap::tiny(Bytes id) const {
    Cursor c(id);
    std::uint64_t bytes = c.byte() & 15u;
    // Long identifiers have a longer length.
    if (id_bytes_ > 17) bytes = bytes << 8 | c.byte();
    Bytes const data = c.take(bytes + 1);
    if (!c.ok()) return source_->corrupt("a small object of a heap is cut off", address_);
    return std::vector(data.begin(), data.end());
}

Result<std::vector<std::byte>> FractalHeap::object(Bytes id) {
    if (id.size() < id_bytes_)
        return source_->corrupt("the identifier of an object in a heap is cut off", address_);
    unsigned const first = std::to_integer<unsigned>(id[0]);
    if (first >> 6 != 0)
        return source_->corrupt("the identifier of an object in a heap is wrong", address_);
    switch (first >> 4 & 3) {
        case 0:
            return managed(id);
        case 1:
            return huge(id);
        case 2:
            return tiny(id);
        default:
            return source_->corrupt("the identifier of an object in a heap is wrong", address_);
    }
}

}  // namespace sluice::hdf5::object
