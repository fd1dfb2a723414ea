// The directories of TIFF files: the entries of a page, and where the next page's are.
// Source: TIFF 6.0 (Adobe, 1992), and BigTIFF as libtiff's page describes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sluice/source.h"

namespace sluice::tiff {

/// How the whole file is written.
struct Order {
    bool big_endian = false;
    bool wide = false;        ///< BigTIFF: places have 8 bytes
    std::uint64_t first = 0;  ///< where the first directory is
};
Result<Order> read_order(Source const& file);

enum class Tag : std::uint16_t {
    subfile_type = 254,
    width = 256,
    height = 257,
    bits = 258,
    compression = 259,
    photometric = 262,
    description = 270,
    strip_offsets = 273,
    samples = 277,
    rows_per_strip = 278,
    strip_bytes = 279,
    software = 305,
    date_time = 306,
    predictor = 317,
    tile_width = 322,
    tile_height = 323,
    tile_offsets = 324,
    tile_bytes = 325,
    sample_format = 339,
};

/// The entries of one page. Values are read when they are asked for.
class Directory {
  public:
    static Result<Directory> read(Source const& file, Order order, std::uint64_t at);

    std::uint64_t at() const { return at_; }
    std::uint64_t next() const { return next_; }  ///< 0: this is the last page
    bool has(Tag tag) const { return find(tag) != nullptr; }
    /// Whole numbers; empty where there is no such entry.
    Result<std::vector<std::uint64_t>> numbers(Tag tag) const;
    /// The first of them.
    Result<std::uint64_t> number(Tag tag, std::uint64_t usual) const;
    /// A text without what follows its zero; empty where there is none.
    Result<std::string> text(Tag tag) const;
    Error wrong(std::string what) const;

  private:
    struct Entry {
        std::uint16_t tag = 0, type = 0;
        std::uint64_t count = 0;
        std::array<std::byte, 8> value = {};  ///< the values, or their place
    };
    Directory(Source const& file, Order order, std::uint64_t at)
        : file_(&file), order_(order), at_(at) {}
    Entry const* find(Tag tag) const;
    template <class T>
    T load(std::byte const* from) const;
    std::uint64_t load_place(std::byte const* from) const;
    Result<std::vector<std::byte>> bytes_of(Entry const& e, std::size_t each) const;

    Source const* file_;
    Order order_;
    std::uint64_t at_, next_ = 0;
    std::vector<Entry> entries_ = {};
};

}  // namespace sluice::tiff
