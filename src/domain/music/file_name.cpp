// Names that macOS, Windows or a memory card would not tell apart.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/file_name.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"

namespace sluice::music {
namespace {

// Latin, Greek and Cyrillic: simple case folding of Unicode, where it is one rule for many.
char32_t small(char32_t c) {
    auto const within = [&](char32_t from, char32_t to) { return c >= from && c <= to; };
    if (within('A', 'Z') || (within(0xc0, 0xde) && c != 0xd7) || within(0x391, 0x3ab) ||
        within(0x410, 0x42f) || within(0xff21, 0xff3a))
        return c + 0x20;
    if (within(0x400, 0x40f)) return c + 0x50;
    if (c == 0x178) return 0xff;
    if (c == 0x386) return 0x3ac;
    if (within(0x388, 0x38a)) return c + 37;
    if (c == 0x38c) return 0x3cc;
    if (within(0x38e, 0x38f)) return c + 63;
    if (c == 0x3c2) return 0x3c3;
    bool const odd = within(0x139, 0x148) || within(0x179, 0x17e);
    bool const even = within(0x100, 0x137) || within(0x14a, 0x177) || within(0x460, 0x4ff) ||
                      within(0x1e00, 0x1eff);
    if ((odd && c % 2 == 1) || (even && c % 2 == 0)) return c + 1;
    return c;
}

// What is written after a letter: accents, marks of Kana, the vowels and ends of Hangul.
bool is_mark(char32_t c) {
    return (c >= 0x300 && c <= 0x36f) || (c >= 0x1ab0 && c <= 0x1aff) || c == 0x3099 ||
           c == 0x309a || (c >= 0x1161 && c <= 0x11c2);
}

/// A letter with its marks.
struct Letter {
    char32_t base = 0;
    std::vector<char32_t> marks;

    bool operator==(Letter const&) const = default;
};

std::vector<Letter> letters_of(std::string_view name) {
    std::vector<Letter> out;
    while (!name.empty()) {
        char32_t const c = small(next_character(name));
        if (is_mark(c) && !out.empty())
            out.back().marks.push_back(c);
        else
            out.push_back({c, {}});
    }
    return out;
}

// A letter with marks may be one character elsewhere. Which one is not looked up.
bool same(Letter const& a, Letter const& b) {
    if (a == b) return true;
    auto const composed = [](Letter const& l) { return l.marks.empty() && l.base >= 0xc0; };
    return (composed(a) && !b.marks.empty()) || (composed(b) && !a.marks.empty());
}

}  // namespace

std::string file_of(std::string_view stem, bool flac) {
    std::string name(stem);
    std::ranges::replace_if(
        name, [](char c) { return c == '/' || (c >= 0 && c < ' '); }, '_');
    if (name.empty() || name.front() == '.') name.insert(name.begin(), '_');
    return name + (flac ? ".flac" : ".wav");
}

bool are_one_file(std::string_view a, std::string_view b) {
    auto const of = [](std::string_view stem) {
        std::string name = file_of(stem, false);
        name.resize(name.size() - 4);
        return letters_of(name);
    };
    return std::ranges::equal(of(a), of(b), same);
}

std::optional<std::pair<std::string, std::string>> names_of_one_file(
    std::vector<std::string> const& names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (are_one_file(names[k], names[i])) return std::pair(names[k], names[i]);
    return {};
}

}  // namespace sluice::music
