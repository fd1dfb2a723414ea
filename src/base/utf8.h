// UTF-8, one character at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

constexpr char32_t not_utf8 = 0xffffffff;

/// Takes the first character off `text`, which is not empty. Of invalid UTF-8 (overlong forms and
/// surrogates included) it takes one byte, and returns `not_utf8`.
inline char32_t next_character(std::string_view& text) {
    auto const byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    std::uint8_t const first = byte(0);
    std::size_t const length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    char32_t c = length == 1 ? first : first & (0xffu >> (length + 1));
    bool good = length > 0 && length <= text.size();
    for (std::size_t i = 1; good && i < length; ++i) {
        good = (byte(i) & 0xc0) == 0x80;
        c = c << 6 | (byte(i) & 0x3fu);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    good = good && c >= least[length] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
    text.remove_prefix(good ? length : 1);
    return good ? c : not_utf8;
}

inline bool is_utf8(std::string_view text) {
    while (!text.empty())
        if (next_character(text) == not_utf8) return false;
    return true;
}

/// What is no UTF-8 is taken for Latin 1, as most writers have it that do not say.
inline std::string as_utf8(std::string_view text) {
    if (is_utf8(text)) return std::string(text);
    std::string out;
    for (char const c : text) {
        auto const u = static_cast<std::uint8_t>(c);
        if (u >= 0x80) out += static_cast<char>(0xc0 | u >> 6);
        out += u < 0x80 ? c : static_cast<char>(0x80 | (u & 0x3f));
    }
    return out;
}

/// For a terminal, which obeys control characters: these, and bytes of invalid UTF-8, as \x1b.
/// Those in `kept` stay.
inline std::string printable(std::string_view text, std::string_view kept = {}) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    while (!text.empty()) {
        std::string_view const from = text;
        char32_t const c = next_character(text);
        std::string_view const bytes = from.substr(0, from.size() - text.size());
        bool const control = (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == not_utf8) &&
                             kept.find(bytes) == std::string_view::npos;
        if (!control) out += bytes;
        for (char const b : control ? bytes : std::string_view())
            ((out += "\\x") += digits[static_cast<std::uint8_t>(b) >> 4]) += digits[b & 15];
    }
    return out;
}

}  // namespace sluice
