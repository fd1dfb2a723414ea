// The values of tags.
// SPDX-License-Identifier: Apache-2.0
#include "format/dm/tags.h"

#include <array>
#include <bit>

#include "base/bytes.h"

namespace sluice::dm {
namespace {

constexpr std::uint64_t most_text = 1024;  // characters of a text that people read

template <class T>
T load(std::byte const* p, bool big) {
    return big ? load_be<T>(p) : load_le<T>(p);
}

double value_of(Type t, std::byte const* p, bool big) {
    switch (t) {
        case Type::i16:
            return load<std::int16_t>(p, big);
        case Type::i32:
            return load<std::int32_t>(p, big);
        case Type::u16:
            return load<std::uint16_t>(p, big);
        case Type::u32:
            return load<std::uint32_t>(p, big);
        case Type::f32:
            return std::bit_cast<float>(load<std::uint32_t>(p, big));
        case Type::f64:
            return std::bit_cast<double>(load<std::uint64_t>(p, big));
        case Type::i64:
            return static_cast<double>(load<std::int64_t>(p, big));
        case Type::u64:
            return static_cast<double>(load<std::uint64_t>(p, big));
        case Type::i8:
            return std::to_integer<std::int8_t>(*p);
        default:
            return std::to_integer<std::uint8_t>(*p);
    }
}

// Units have Greek letters and rings; what is beyond 16 bits does not occur in them.
void append_utf8(std::string& out, unsigned c) {
    if (c < 0x80) {
        if (c >= 0x20) out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xc0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 0x3f));
    } else if (c < 0xd800 || c > 0xdfff) {
        out += static_cast<char>(0xe0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
    }
}

}  // namespace

int bytes_of(Type t) {
    switch (t) {
        case Type::i8:
        case Type::u8:
        case Type::boolean:
            return 1;
        case Type::i16:
        case Type::u16:
            return 2;
        case Type::i32:
        case Type::u32:
        case Type::f32:
            return 4;
        case Type::f64:
        case Type::i64:
        case Type::u64:
            return 8;
        default:
            return 0;
    }
}

Tag const* Tree::find(std::string_view path) const {
    auto const at = tags_.find(path);
    return at == tags_.end() ? nullptr : &at->second;
}

std::optional<double> Tree::number(std::string_view path) const {
    Tag const* const tag = find(path);
    if (!tag || tag->array || bytes_of(tag->type) == 0) return {};
    std::array<std::byte, 8> bytes{};
    if (!file_->read(tag->at,
                     std::span(bytes).first(static_cast<std::size_t>(bytes_of(tag->type)))))
        return {};
    return value_of(tag->type, bytes.data(), big_endian_);
}

std::optional<std::string> Tree::text(std::string_view path) const {
    Tag const* const tag = find(path);
    if (!tag || !tag->array || tag->type != Type::u16) return {};
    std::string out;
    std::vector<std::byte> bytes(2 * std::min(tag->count, most_text));
    if (!file_->read(tag->at, bytes)) return {};
    for (std::size_t i = 0; i < bytes.size(); i += 2)
        append_utf8(out, load<std::uint16_t>(bytes.data() + i, big_endian_));
    return out;
}

}  // namespace sluice::dm
