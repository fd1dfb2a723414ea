// The elements of MAT files, and the numbers and letters in them.
// SPDX-License-Identifier: Apache-2.0
#include "format/mat/elements.h"

#include <algorithm>

#include "base/utf8.h"

namespace sluice::mat {
namespace {

void append_utf8(std::string& out, std::uint32_t c) {
    auto const add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (c >= 0xd800 && c < 0xe000) c = '?';
    if (c < 0x80) return add(c);
    if (c < 0x800) {
        add(0xc0 | c >> 6);
    } else {
        add(0xe0 | c >> 12);
        add(0x80 | (c >> 6 & 0x3f));
    }
    add(0x80 | (c & 0x3f));
}

}  // namespace

std::optional<Element> Elements::take(bool whole) {
    constexpr std::size_t tag = 8;
    std::size_t const left = bytes_.size() - std::min(at_, bytes_.size());
    if (left < tag) return {};
    std::byte const* const p = bytes_.data() + at_;
    auto const first = load<std::uint32_t>(p, big_);
    // At most four bytes stand in the tag itself.
    if (std::size_t const small = first >> 16; small > 0) {
        if (small > 4) return {};
        at_ += tag;
        return Element{first & 0xffff, bytes_.subspan(at_ - 4, small)};
    }
    std::size_t const size = load<std::uint32_t>(p + 4, big_);
    std::size_t const there = std::min(size, left - tag);
    if (whole && there < size) return {};
    Element const e{first, bytes_.subspan(at_ + tag, there)};
    at_ += tag + there;
    // Each begins at a multiple of eight, except what follows a compressed one.
    if (e.type != compressed) at_ = std::min((at_ + 7) / 8 * 8, bytes_.size());
    return e;
}

std::optional<Element> Elements::next() {
    return take(true);
}

std::optional<Element> Elements::next_begun() {
    return take(false);
}

std::size_t size_of(std::uint32_t type) {
    switch (type) {
        case int8:
        case uint8:
        case utf8:
            return 1;
        case int16:
        case uint16:
        case utf16:
            return 2;
        case int32:
        case uint32:
        case single:
            return 4;
        case real:
        case int64:
        case uint64:
            return 8;
        default:
            return 0;
    }
}

double number_at(std::byte const* p, std::uint32_t type, bool big) {
    switch (type) {
        case int8:
            return static_cast<double>(load<std::int8_t>(p, big));
        case uint8:
            return static_cast<double>(load<std::uint8_t>(p, big));
        case int16:
            return static_cast<double>(load<std::int16_t>(p, big));
        case uint16:
            return static_cast<double>(load<std::uint16_t>(p, big));
        case int32:
            return static_cast<double>(load<std::int32_t>(p, big));
        case uint32:
            return static_cast<double>(load<std::uint32_t>(p, big));
        case int64:
            return static_cast<double>(load<std::int64_t>(p, big));
        case uint64:
            return static_cast<double>(load<std::uint64_t>(p, big));
        case single:
            return static_cast<double>(std::bit_cast<float>(load<std::uint32_t>(p, big)));
        default:
            return std::bit_cast<double>(load<std::uint64_t>(p, big));
    }
}

std::string text_of(Element const& e, bool big) {
    std::size_t const width = size_of(e.type);
    if (e.type == utf8)
        return as_utf8({reinterpret_cast<char const*>(e.data.data()), e.data.size()});
    std::string out;
    for (std::size_t i = 0; width > 0 && i + width <= e.data.size(); i += width) {
        std::byte const* const p = e.data.data() + i;
        append_utf8(out, width == 1   ? load<std::uint8_t>(p, big)
                         : width == 2 ? load<std::uint16_t>(p, big)
                                      : '?');
    }
    return out;
}

}  // namespace sluice::mat
