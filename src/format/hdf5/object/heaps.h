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

/// Collections of objects; those read last are kept while it lives.
class GlobalHeap {
  public:
    explicit GlobalHeap(Source const& source) : source_(source) {}
    /// The object `number` of the collection at an address; valid until the next call.
    Result<Bytes> object(std::uint64_t collection, std::uint64_t number);

  private:
    struct Collection {
        std::vector<std::byte> bytes;
        std::map<std::uint64_t, Bytes> objects;
    };
    Result<Collection> read(std::uint64_t address) const;

    Source const& source_;
    std::map<std::uint64_t, Collection> known_;
};

}  // namespace sluice::hdf5::object
