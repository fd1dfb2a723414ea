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

// Both heads are filled up to multiples of 8 bytes.
std::uint64_t collection_head(Source const& source) {
    return padded(8 + source.length_bytes());
}

Result<std::uint64_t> collection_bytes(Source const& source, Bytes head, std::uint64_t address) {
    Cursor h(head);
    bool const ok = h.literal("GCOL") && h.byte() == 1;
    h.take(3);
    std::uint64_t const size = take_length(h, source);
    if (!ok || size < collection_head(source))
        return source.corrupt("a heap of strings has a wrong header", address);
    return size;
}

Result<HeapCollection> parse_collection(Source const& source, std::vector<std::byte> bytes,
                                        std::uint64_t address) {
    std::uint64_t const prefix = collection_head(source);
    HeapCollection all;
    all.bytes = std::move(bytes);
    Cursor c(all.bytes);
    c.take(prefix);
    // Object 0 is the free space behind the last one.
    while (c.rest().size() >= prefix) {
        std::uint64_t const number = c.number(2);
        c.take(6);
        std::uint64_t const n = take_length(c, source);
        c.take(prefix - 8 - source.length_bytes());
        if (number == 0) break;
        if (n > c.rest().size())
            return source.corrupt("a string is longer than its heap",
                                  address + all.bytes.size() - c.rest().size());
        all.objects.emplace(number, c.rest().first(static_cast<std::size_t>(n)));
        c.take(std::min<std::uint64_t>(padded(n), c.rest().size()));
    }
    return all;
}

Result<Bytes> GlobalHeap::object(std::uint64_t collection, std::uint64_t number) {
    auto found = known_.find(collection);
    if (found == known_.end()) {
        SLUICE_TRY(auto const head, source_.block(collection, collection_head(source_)));
        SLUICE_TRY(std::uint64_t const size, collection_bytes(source_, head, collection));
        SLUICE_TRY(auto bytes, source_.block(collection, size));
        SLUICE_TRY(auto read_now, parse_collection(source_, std::move(bytes), collection));
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
