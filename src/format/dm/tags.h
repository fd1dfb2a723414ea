// The tree of tags that DM3 and DM4 files of Gatan's DigitalMicrograph are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sluice/source.h"

namespace sluice::dm {

/// How the file stores a value; the numbers are the format's own.
enum class Type : std::uint8_t {
    i16 = 2,
    i32 = 3,
    u16 = 4,
    u32 = 5,
    f32 = 6,
    f64 = 7,
    boolean = 8,
    i8 = 9,
    u8 = 10,
    i64 = 11,
    u64 = 12,
    structure = 15,
    string = 18,
    array = 20,
};
/// Bytes of a number; 0 of what is none.
int bytes_of(Type t);

/// Where the values of a tag are.
struct Tag {
    Type type = Type::u8;  ///< of an element; `structure` where they are none of one number
    bool array = false;
    std::uint64_t count = 1;  ///< elements
    std::uint64_t at = 0;     ///< in the file
};

/// Tags by their paths: names, or numbers where there is none, with dots between.
class Tree {
  public:
    /// Reads all but the values. Errors: Code::truncated and Code::corrupt with their places.
    static Result<Tree> read(std::shared_ptr<Source const> const& file);

    bool big_endian() const { return big_endian_; }
    int version() const { return version_; }
    std::map<std::string, Tag, std::less<>> const& tags() const { return tags_; }
    Tag const* find(std::string_view path) const;
    /// The values of small tags; nothing where there is none of the kind.
    std::optional<double> number(std::string_view path) const;
    std::optional<std::string> text(std::string_view path) const;

  private:
    friend class TreeReader;
    std::shared_ptr<Source const> file_;
    std::map<std::string, Tag, std::less<>> tags_;
    int version_ = 3;
    bool big_endian_ = false;
};

}  // namespace sluice::dm
