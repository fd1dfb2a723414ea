// CBOR as text.
// SPDX-License-Identifier: Apache-2.0
#include "net/cbor/diagnostic.h"

#include <fmt/format.h>

#include <cmath>

#include "net/cbor/reader.h"

namespace sluice::cbor {
namespace {

std::string text_of(Head const& head) {
    switch (head.kind) {
        case Kind::natural:
            return fmt::format("{}", head.number);
        case Kind::negative:
            // The lowest one is -2^64, which no integer holds.
            if (head.number == UINT64_MAX) return "-18446744073709551616";
            return fmt::format("-{}", head.number + 1);
        case Kind::bytes: {
            std::string hex;
            for (std::byte const b : head.bytes)
                hex += fmt::format("{:02x}", std::to_integer<unsigned>(b));
            return fmt::format("h'{}'", hex);
        }
        case Kind::text: {
            std::string text = "\"";
            for (std::byte const b : head.bytes) {
                auto const c = static_cast<char>(b);
                if (c == '"' || c == '\\') text += '\\';
                if (static_cast<unsigned char>(c) < 32)
                    text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
                else
                    text += c;
            }
            return text + '"';
        }
        case Kind::simple: {
            constexpr std::string_view names[] = {"false", "true", "null", "undefined"};
            if (head.number >= is_false && head.number <= is_undefined)
                return std::string(names[head.number - is_false]);
            return fmt::format("simple({})", head.number);
        }
        case Kind::real:
            if (std::isnan(head.real)) return "NaN";
            if (std::isinf(head.real)) return head.real > 0 ? "Infinity" : "-Infinity";
            return fmt::format("{}", head.real);
        default:
            return {};
    }
}

Status write(Reader& reader, int depth, std::string& out) {
    SLUICE_TRY(Head const head, reader.next());
    if (head.kind == Kind::end) return reader.wrong("an end without a beginning");
    bool const container = head.kind == Kind::array || head.kind == Kind::map;
    if (!container && !head.indefinite && head.kind != Kind::tag) {
        out += text_of(head);
        return {};
    }
    if (depth == Reader::most_depth)
        return reader.wrong(fmt::format("items are nested more than {} deep", Reader::most_depth));
    if (head.kind == Kind::tag) {
        out += fmt::format("{}(", head.number);
        SLUICE_CHECK(write(reader, depth + 1, out));
        out += ')';
        return {};
    }
    bool const map = head.kind == Kind::map, string = !container;
    out += map ? '{' : string ? '(' : '[';
    if (head.indefinite) out += "_ ";
    Items items{head.number, head.indefinite};
    for (bool first = true;; first = false) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) break;
        if (!first) out += ", ";
        if (string) {
            SLUICE_TRY(Head const piece, reader.next());
            if (piece.kind != head.kind || piece.indefinite)
                return reader.wrong("a string whose pieces are of another kind");
            out += text_of(piece);
            continue;
        }
        SLUICE_CHECK(write(reader, depth + 1, out));
        if (!map) continue;
        out += ": ";
        SLUICE_CHECK(write(reader, depth + 1, out));
    }
    out += map ? '}' : string ? ')' : ']';
    return {};
}

}  // namespace

Result<std::string> diagnostic(Bytes message) {
    Reader reader(message);
    std::string out;
    SLUICE_CHECK(write(reader, 0, out));
    if (!reader.done())
        return Error{Code::corrupt, fmt::format("bytes are left behind the item (at byte {} of {})",
                                                reader.at(), message.size())};
    return out;
}

}  // namespace sluice::cbor
