// The local heap (names of an old group) and the global heap (strings of any length).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "format/hdf5/object/source.h"

namespace sluice::hdf5::object {

class LocalHeap {
  public:
    static Result<LocalHeap> read(Source const& source, std::uint64_t address);
    /// The text at an offset, up to its zero; nothing if it does not end in the heap.
    std::optional<std::string_view> text(std::uint64_t offset) const;

  private:
    std::vector<std::byte> data_;
};

/// A collection of the global heap: its objects by their numbers.
struct HeapCollection {
    std::vector<std::byte> bytes;
    std::map<std::uint64_t, Bytes> objects;
};
/// Bytes of a collection's head, which says how many bytes the collection has.
std::uint64_t collection_head(Source const& source);
Result<std::uint64_t> collection_bytes(Source const& source, Bytes head, std::uint64_t address);
/// Finds the objects of `bytes`, which are the whole collection.
Result<HeapCollection> parse_collection(Source const& source, std::vector<std::byte> bytes,
                                        std::uint64_t address);

/// Collections of objects; those read last are kept while it lives.
class GlobalHeap {
  public:
    explicit GlobalHeap(Source const& source) : source_(source) {}
    /// The object `number` of the collection at an address; valid until the next call.
    Result<Bytes> object(std::uint64_t collection, std::uint64_t number);

  private:
    Source const& source_;
    std::map<std::uint64_t, HeapCollection> known_;
};

}  // namespace sluice::hdf5::object
