// The fractal heap: what dense groups, dense attributes and shared messages are stored in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "format/hdf5/object/source.h"

namespace sluice::hdf5::object {

class FractalHeap {
  public:
    static Result<FractalHeap> open(Source const& source, std::uint64_t address);
    /// Bytes of an identifier of this heap.
    std::uint64_t id_bytes() const { return id_bytes_; }
    /// The object with an identifier.
    Result<std::vector<std::byte>> object(Bytes id);

  private:
    explicit FractalHeap(Source const& source) : source_(&source) {}
    Status parse(Bytes bytes, std::uint64_t address);
    Status check(std::uint64_t address) const;
    std::uint64_t offset_bytes() const { return (heap_bits_ + 7) / 8; }
    std::uint64_t row_block(unsigned row) const;
    std::uint64_t row_start(unsigned row) const;
    unsigned row_at(std::uint64_t offset) const;
    unsigned direct_rows() const;
    unsigned rows_of(std::uint64_t block_bytes) const;

    Result<std::vector<std::byte>> managed(Bytes id);
    Result<std::vector<std::byte>> huge(Bytes id);
    Result<std::vector<std::byte>> tiny(Bytes id) const;
    struct Place {
        std::uint64_t address = 0, start = 0, bytes = 0;
    };
    Result<Place> find_block(std::uint64_t offset);
    /// A block of objects; the view holds until the next call.
    Result<Bytes> direct_block(Place const& place);
    /// An indirect block of so many bytes.
    Result<Bytes> indirect_block(std::uint64_t address, std::uint64_t bytes);
    Bytes keep(std::uint64_t address, std::vector<std::byte> block);

    Source const* source_;
    std::uint64_t address_ = 0;
    std::uint64_t id_bytes_ = 0, largest_managed_ = 0, huge_index_ = 0, root_ = 0;
    std::uint64_t width_ = 0, first_block_ = 0, largest_direct_ = 0;
    unsigned heap_bits_ = 0, root_rows_ = 0;
    bool summed_blocks_ = false;
    // Names are in the order of their hashes, so that every block is asked for again and again.
    std::map<std::uint64_t, std::vector<std::byte>> kept_;
    std::uint64_t kept_bytes_ = 0;
};

}  // namespace sluice::hdf5::object
