// The elements that MAT files are made of: a tag with type and size, and data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "sluice/view.h"

namespace sluice::mat {

/// The types of elements (MATLAB's "MAT-File Format", table 1-1).
enum Type : std::uint32_t {
    int8 = 1,
    uint8 = 2,
    int16 = 3,
    uint16 = 4,
    int32 = 5,
    uint32 = 6,
    single = 7,
    real = 9,
    int64 = 12,
    uint64 = 13,
    matrix = 14,
    compressed = 15,
    utf8 = 16,
    utf16 = 17,
};

struct Element {
    std::uint32_t type = 0;
    Bytes data = {};
};

/// Elements one after the other. Nothing is taken beyond the end.
class Elements {
  public:
    Elements(Bytes bytes, bool big_endian) : bytes_(bytes), big_(big_endian) {}

    bool ended() const { return at_ >= bytes_.size(); }
    bool big_endian() const { return big_; }
    /// Nothing where what is left holds no element.
    std::optional<Element> next();
    /// As much of it as there is.
    std::optional<Element> next_begun();

  private:
    Bytes bytes_;
    bool big_;
    std::size_t at_ = 0;

    std::optional<Element> take(bool whole);
};

template <class T>
T load(std::byte const* p, bool big_endian) {
    return big_endian ? load_be<T>(p) : load_le<T>(p);
}

/// How many bytes a number of a type has; 0: it is none.
std::size_t size_of(std::uint32_t type);
double number_at(std::byte const* p, std::uint32_t type, bool big_endian);
/// Characters as UTF-8; what is no character becomes a question mark.
std::string text_of(Element const& element, bool big_endian);

}  // namespace sluice::mat
