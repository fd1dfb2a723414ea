// Reads CBOR item by item.
// SPDX-License-Identifier: Apache-2.0
#include "net/cbor/reader.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "base/bytes.h"
#include "base/half.h"

namespace sluice::cbor {
namespace {

// The lower five bits of a first byte: a number up to 23, or how many bytes have it.
constexpr unsigned in_one_byte = 24, in_eight_bytes = 27, without_end = 31;

constexpr std::string_view kinds[] = {"a number", "a negative number",
                                      "bytes",    "a text",
                                      "an array", "a map",
                                      "a tag",    "a simple value",
                                      "a number", "the end of an item"};

double real_of(unsigned info, std::uint64_t bits) {
    if (info == 25)
        return static_cast<double>(static_cast<float>(Half{static_cast<std::uint16_t>(bits)}));
    if (info == 26) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return std::bit_cast<double>(bits);
}

}  // namespace

Error Reader::wrong(std::string_view what) const {
    return {Code::corrupt, fmt::format("{} (at byte {} of the message)", what, head_at_)};
}

Error Reader::too_many(Head const& head) const {
    std::uint64_t const rest = message_.size() - at_;
    return wrong(fmt::format("{} of {} (the message has {} bytes more)",
                             kinds[static_cast<int>(head.kind)], head.number, rest));
}

Result<Head> Reader::read_head() {
    head_at_ = at_;
    if (done()) return wrong("the message ends where an item is expected");
    auto const first = std::to_integer<unsigned>(message_[at_++]);
    unsigned const major = first >> 5, info = first & 31;
    Head head{.kind = static_cast<Kind>(major), .number = info, .at = head_at_};
    if (major == 7) head.kind = Kind::simple;
    if (info >= in_one_byte && info <= in_eight_bytes) {
        std::size_t const size = std::size_t{1} << (info - in_one_byte);
        if (message_.size() - at_ < size) return wrong("the message ends inside of a number");
        head.number = 0;
        for (std::size_t i = 0; i < size; ++i)
            head.number = head.number << 8 | std::to_integer<std::uint64_t>(message_[at_++]);
    } else if (info > in_eight_bytes && info < without_end) {
        return wrong(fmt::format("a first byte of {:#x}, which has no meaning", first));
    }
    if (info == without_end) {
        if (major == 7) head.kind = Kind::end;
        if (major < 2 || major == 6)
            return wrong(fmt::format("a first byte of {:#x}, which has no meaning", first));
        head.indefinite = major != 7;
        head.number = 0;
    }
    if (major == 7 && info > in_one_byte && info <= in_eight_bytes) {
        head.kind = Kind::real;
        head.real = real_of(info, head.number);
    }
    return head;
}

// What nearly all items are: a whole number or a tag, a string in one piece that is there, or an
// array or a map of as many items as there can be: each takes at least a byte, and a pair two.
// False: the place stays, and read_head() says what is there.
inline bool Reader::read_plain(Head& head) {
    if (done()) return false;
    auto const first = std::to_integer<unsigned>(message_[at_]);
    unsigned const major = first >> 5, info = first & 31;
    if (major == 7 || info > in_eight_bytes) return false;
    std::size_t const size = info < in_one_byte ? 0 : std::size_t{1} << (info - in_one_byte);
    std::size_t const rest = message_.size() - at_ - 1;
    if (size > rest) return false;
    std::uint64_t number = info;
    if (size > 0) number = 0;
    for (std::size_t i = 1; i <= size; ++i)
        number = number << 8 | std::to_integer<std::uint64_t>(message_[at_ + i]);
    head = {.kind = static_cast<Kind>(major), .number = number, .at = at_};
    std::uint64_t const left = rest - size;
    bool const string = head.kind == Kind::bytes || head.kind == Kind::text;
    if (string || head.kind == Kind::array || head.kind == Kind::map)
        if (number > (head.kind == Kind::map ? left / 2 : left)) return false;
    head_at_ = at_;
    at_ += 1 + size;
    if (string) {
        head.bytes = message_.subspan(at_, static_cast<std::size_t>(number));
        at_ += head.bytes.size();
    }
    return true;
}

// Of that kind; if it is another one, the place stays.
inline bool Reader::read_plain(Kind kind, Head& head) {
    std::size_t const begin = at_;
    if (read_plain(head) && head.kind == kind) return true;
    at_ = begin;
    return false;
}

Result<Head> Reader::next() {
    if (Head plain; read_plain(plain)) return plain;
    SLUICE_TRY(Head const head, read_head());
    bool const counts = head.kind == Kind::bytes || head.kind == Kind::text ||
                        head.kind == Kind::array || head.kind == Kind::map;
    if (head.indefinite || !counts) return head;
    return too_many(head);
}

Result<Head> Reader::look() const {
    Reader copy = *this;
    return copy.next();
}

// Most items hold no others, and need none of what counts them.
Status Reader::skip() {
    std::size_t const begin = at_;
    if (Head head; read_plain(head)) {
        bool const holds = head.kind == Kind::array || head.kind == Kind::map;
        if (head.kind != Kind::tag && (!holds || head.number == 0)) return {};
    }
    at_ = begin;
    return skip_nested();
}

Status Reader::skip_nested() {
    // What is left at each depth: items, or until their end.
    std::array<Items, most_depth> open;
    std::array<Kind, most_depth> kind{};
    int depth = 0;
    for (;;) {
        SLUICE_TRY(Head const head, next());
        bool const closes = head.kind == Kind::end;
        if (closes && (depth == 0 || !open[static_cast<std::size_t>(depth - 1)].indefinite))
            return wrong("an end without a beginning");
        if (depth > 0 && !closes) {
            auto const around = kind[static_cast<std::size_t>(depth - 1)];
            if ((around == Kind::bytes || around == Kind::text) &&
                (head.kind != around || head.indefinite))
                return wrong("a string whose pieces are of another kind");
        }
        bool const opens =
            head.indefinite || head.kind == Kind::tag ||
            ((head.kind == Kind::array || head.kind == Kind::map) && head.number > 0);
        if (opens) {
            if (depth == most_depth)
                return wrong(fmt::format("items are nested more than {} deep", most_depth));
            std::uint64_t const times = head.kind == Kind::map ? 2 : 1;
            auto const d = static_cast<std::size_t>(depth++);
            open[d] = {head.kind == Kind::tag ? 1 : head.number * times, head.indefinite};
            kind[d] = head.kind;
            continue;
        }
        if (closes) {
            auto const d = static_cast<std::size_t>(--depth);
            if (kind[d] == Kind::map && open[d].left % 2 != 0)
                return wrong("a map that ends after a key");
        }
        // An item is complete, and with it those around it that it was the last of.
        for (; depth > 0; --depth) {
            Items& around = open[static_cast<std::size_t>(depth - 1)];
            if (around.indefinite) {
                ++around.left;  // counted, for the pairs of maps
                break;
            }
            if (--around.left > 0) break;
        }
        if (depth == 0) return {};
    }
}

Result<Head> Reader::expect(Kind kind, std::string_view what) {
    SLUICE_TRY(Head const head, next());
    if (head.kind == kind) return head;
    return wrong(fmt::format("{} (expected is {})", kinds[static_cast<int>(head.kind)], what));
}

Result<std::uint64_t> Reader::natural() {
    if (Head head; read_plain(Kind::natural, head)) return head.number;
    SLUICE_TRY(Head const head, expect(Kind::natural, "a whole number, 0 or more"));
    return head.number;
}

Result<std::int64_t> Reader::whole() {
    SLUICE_TRY(Head const head, next());
    if (head.kind != Kind::natural && head.kind != Kind::negative)
        return wrong(
            fmt::format("{} (expected is a whole number)", kinds[static_cast<int>(head.kind)]));
    if (head.number > static_cast<std::uint64_t>(INT64_MAX))
        return wrong("a whole number that 64 bits do not hold");
    auto const size = static_cast<std::int64_t>(head.number);
    return head.kind == Kind::natural ? size : -1 - size;
}

Result<double> Reader::number() {
    SLUICE_TRY(Head const head, next());
    if (head.kind == Kind::real) return head.real;
    if (head.kind == Kind::natural) return static_cast<double>(head.number);
    if (head.kind == Kind::negative) return -1.0 - static_cast<double>(head.number);
    return wrong(fmt::format("{} (expected is a number)", kinds[static_cast<int>(head.kind)]));
}

Result<bool> Reader::boolean() {
    SLUICE_TRY(Head const head, next());
    if (head.kind == Kind::simple && (head.number == is_false || head.number == is_true))
        return head.number == is_true;
    return wrong("no true or false where one is expected");
}

Result<std::uint64_t> Reader::tag() {
    SLUICE_TRY(Head const head, expect(Kind::tag, "a tag"));
    return head.number;
}

Result<Items> Reader::container(Kind kind, std::string_view what) {
    SLUICE_TRY(Head const head, expect(kind, what));
    return Items{head.number, head.indefinite};
}
Result<Items> Reader::array() {
    return container(Kind::array, "an array");
}
Result<Items> Reader::map() {
    return container(Kind::map, "a map");
}

Result<Bytes> Reader::string(Kind kind, std::vector<std::byte>& room) {
    if (Head head; read_plain(kind, head)) return head.bytes;
    SLUICE_CHECK(expect(kind, kinds[static_cast<int>(kind)]));
    room.clear();  // it comes in pieces
    for (;;) {
        SLUICE_TRY(Head const piece, next());
        if (piece.kind == Kind::end) return Bytes(room);
        if (piece.kind != kind || piece.indefinite)
            return wrong("a string whose pieces are of another kind");
        room.insert(room.end(), piece.bytes.begin(), piece.bytes.end());
    }
}

Result<std::string_view> Reader::text(std::vector<std::byte>& room) {
    SLUICE_TRY(Bytes const bytes, string(Kind::text, room));
    return std::string_view(reinterpret_cast<char const*>(bytes.data()), bytes.size());
}

Result<bool> Reader::more(Items& items) {
    if (!items.indefinite) return items.left-- > 0;
    SLUICE_TRY(Head const head, look());
    if (head.kind != Kind::end) return true;
    SLUICE_CHECK(next());
    return false;
}

}  // namespace sluice::cbor
