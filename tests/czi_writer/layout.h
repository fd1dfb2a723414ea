// The bytes of CZI structures, little-endian and packed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "czi_writer/czi_writer.h"

namespace sluice::test {

inline constexpr std::size_t segment_head = 32;

/// Bytes that are written at positions, and grow as needed.
class Block {
  public:
    explicit Block(std::size_t size = 0) : bytes_(size) {}
    template <class T>
    void put(std::size_t at, T value) {
        reserve(at + sizeof value);
        std::memcpy(bytes_.data() + at, &value, sizeof value);
    }
    void put(std::size_t at, Bytes bytes) {
        reserve(at + bytes.size());
        if (!bytes.empty()) std::memcpy(bytes_.data() + at, bytes.data(), bytes.size());
    }
    void put(std::size_t at, std::string_view text) { put(at, std::as_bytes(std::span(text))); }
    void append(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    std::size_t size() const { return bytes_.size(); }
    std::vector<std::byte> const& bytes() const { return bytes_; }

  private:
    void reserve(std::size_t size) {
        if (bytes_.size() < size) bytes_.resize(size);
    }
    std::vector<std::byte> bytes_;
};

/// A directory entry of schema DV, for a sub-block whose segment begins at `position`.
Block entry_of(Tile const& tile, std::uint64_t position, Habits const& habits);
/// The same without making it.
std::size_t entry_bytes(Tile const& tile);

/// A segment with its head and padding.
std::vector<std::byte> segment(std::string_view id, Bytes content, Habits const& habits);

/// The content of the segment of a sub-block.
Block sub_block(Tile const& tile, Bytes data, std::uint64_t position, Habits const& habits);

/// An entry of the attachment directory, schema A1.
Block attachment_entry(Attached const& attached, std::uint64_t position, std::int32_t number);

}  // namespace sluice::test
