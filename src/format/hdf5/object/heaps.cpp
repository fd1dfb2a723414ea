// Local and global heaps (specification 3.0, sections III.D and III.E).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/heaps.h"

#include <fmt/format.h>

#include <cstring>

namespace sluice::hdf5::object {
namespace {

constexpr std::size_t most_collections = 16;

std::uint64_t padded(std::uint64_t n) {
    return (n + 7) / 8 * 8;
}

}  // namespace

Result<LocalHeap> LocalHeap::read(Source const& source, std::uint64_t address) {
    std::uint64_t const size = 8 + 2 * source.length_bytes() + source.address_bytes();
    SLUICE_TRY(auto head, source.block(address, size));
    Cursor c(head);
    bool const ok = c.literal("HEAP") && c.byte() == 0;
    c.take(3);
    std::uint64_t const bytes = take_length(c, source);
    c.take(source.length_bytes());
    std::uint64_t const at = take_address(c, source);
    if (!ok) return source.corrupt("the heap of a group's names has a wrong header", address);
    LocalHeap heap;
    SLUICE_TRY(heap.data_, source.block(at, bytes));
    return heap;
}

std::optional<std::string_view> LocalHeap::text(std::uint64_t offset) const {
    if (offset >= data_.size()) return {};
    auto const* const from = reinterpret_cast<char const*>(data_.data()) + offset;
    std::size_t const room = data_.size() - static_cast<std::size_t>(offset);
    auto const* const end = static_cast<char const*>(std::memchr(from, 0, room));
    if (end == nullptr) return {};
    return std::string_view(from, static_cast<std::size_t>(end - from));
}

Result<GlobalHeap::Collection> GlobalHeap::read(std::uint64_t address) const {
    // Both heads are filled up to multiples of 8 bytes.
    std::uint64_t const prefix = padded(8 + source_.length_bytes());
    SLUICE_TRY(auto head, source_.block(address, prefix));
    Cursor h(head);
    bool const ok = h.literal("GCOL") && h.byte() == 1;
    h.take(3);
    std::uint64_t const size = take_length(h, source_);
    if (!ok || size < prefix)
        return source_.corrupt("a heap of strings has a wrong header", address);
    Collection all;
    SLUICE_TRY(all.bytes, source_.block(address, size));
    Cursor c(all.bytes);
    c.take(prefix);
    // Object 0 is the free space behind the last one.
    while (c.rest().size() >= prefix) {
        std::uint64_t const number = c.number(2);
        c.take(6);
        std::uint64_t const n = take_length(c, source_);
        c.take(prefix - 8 - source_.length_bytes());
        if (number == 0) break;
        if (n > c.rest().size())
            return source_.corrupt("a string is longer than its heap",
                                   address + all.bytes.size() - c.rest().size());
        all.objects.emplace(number, c.rest().first(static_cast<std::size_t>(n)));
        c.take(std::min<std::uint64_t>(padded(n), c.rest().size()));
    }
    return all;
}

Result<Bytes> GlobalHeap::object(std::uint64_t collection, std::uint64_t number) {
    auto found = known_.find(collection);
    if (found == known_.end()) {
        SLUICE_TRY(auto read_now, read(collection));
        if (known_.size() >= most_collections) known_.clear();
        found = known_.emplace(collection, std::move(read_now)).first;
    }
    auto const object = found->second.objects.find(number);
    if (object == found->second.objects.end())
        return source_.corrupt(fmt::format("a heap of strings has no object {}", number),
                               collection);
    return object->second;
}

}  // namespace sluice::hdf5::object
