// Reads CBOR (RFC 8949) item by item, in place: no length in a message makes it take memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::cbor {

enum class Kind : std::uint8_t {
    natural,   ///< a whole number, 0 or more
    negative,  ///< -1 less `number`
    bytes,
    text,
    array,
    map,
    tag,
    simple,  ///< false, true, null, undefined and others by their number, 20 to 23
    real,
    end,  ///< what closes an item of indefinite length
};

/// The names of the simple values that there are.
enum Simple : std::uint8_t { is_false = 20, is_true = 21, is_null = 22, is_undefined = 23 };

/// The head of an item. Items inside of an array or a map, and what a tag is about, come next.
struct Head {
    Kind kind = Kind::end;
    std::uint64_t number = 0;  ///< the value; the tag; how many items or pairs; how many bytes
    double real = 0;
    Bytes bytes = {};         ///< of bytes and text
    bool indefinite = false;  ///< items, or pieces of bytes and text, follow up to `end`
    std::uint64_t at = 0;     ///< where it begins
};

/// What is left of an array or a map.
struct Items {
    std::uint64_t left = 0;
    bool indefinite = false;
};

/// Of a message, which outlives it. Errors name the place in it.
class Reader {
  public:
    /// Items nested deeper than this are refused.
    static constexpr int most_depth = 32;

    explicit Reader(Bytes message) : message_(message) {}

    bool done() const { return at_ == message_.size(); }
    std::uint64_t at() const { return at_; }

    /// The next head. What it announces fits into the rest of the message.
    Result<Head> next();
    /// The kind of the next item, which stays.
    Result<Head> look() const;
    /// Goes past the next item and all that is in it.
    Status skip();

    /// Each expects an item of its kind.
    Result<std::uint64_t> natural();
    Result<std::int64_t> whole();
    Result<double> number();  ///< whole or real
    Result<bool> boolean();
    Result<std::uint64_t> tag();
    Result<Items> array();
    Result<Items> map();
    /// In one piece; pieces are put together in `room`, which then holds them.
    Result<Bytes> bytes(std::vector<std::byte>& room) { return string(Kind::bytes, room); }
    Result<std::string_view> text(std::vector<std::byte>& room);
    /// Whether an array, or a map, has one more item, or pair; goes past its end.
    Result<bool> more(Items& items);
    /// An error at the last head that was read.
    Error wrong(std::string_view what) const;

  private:
    bool read_plain(Head& head);
    bool read_plain(Kind kind, Head& head);
    Result<Head> read_head();
    Result<Head> expect(Kind kind, std::string_view what);
    Result<Items> container(Kind kind, std::string_view what);
    Result<Bytes> string(Kind kind, std::vector<std::byte>& room);
    Error too_many(Head const& head) const;
    Status skip_nested();

    Bytes message_;
    std::size_t at_ = 0, head_at_ = 0;
};

}  // namespace sluice::cbor
