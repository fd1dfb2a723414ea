// Tidying and JSON.
// SPDX-License-Identifier: Apache-2.0
#include "save/provenance.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace sluice::save {
namespace {

std::string clean(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::string_view const before = text;
        char32_t const c = next_character(text);
        if (c == not_utf8 || c == 0)
            out += '?';
        else
            out += before.substr(0, before.size() - text.size());
    }
    return out;
}

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        auto const c = static_cast<std::uint32_t>(next_character(text));
        if (c == '"' || c == '\\')
            out += {'\\', static_cast<char>(c)};
        else if (c == '\n')
            out += "\\n";
        else if (c >= 0x20 && c < 0x7f)
            out += static_cast<char>(c);
        else if (c < 0x10000)
            out += fmt::format("\\u{:04x}", c);
        else
            out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + ((c - 0x10000) >> 10),
                               0xdc00 + (c & 0x3ff));
    }
    return out + '"';
}

}  // namespace

Provenance tidy(Provenance const& provenance) {
    Provenance out;
    for (auto const& [raw_name, raw_value] : provenance.fields) {
        std::string const name = raw_name.empty() ? "note" : clean(raw_name);
        auto const same = std::find_if(out.fields.begin(), out.fields.end(),
                                       [&](auto const& field) { return field.first == name; });
        if (same == out.fields.end())
            out.fields.emplace_back(name, clean(raw_value));
        else
            same->second += '\n' + clean(raw_value);
    }
    return out;
}

std::string json_of(Provenance const& provenance) {
    std::string out = "{";
    for (auto const& [name, value] : tidy(provenance).fields)
        out += fmt::format("{}\n  {}: {}", out.size() > 1 ? "," : "", in_quotes(name),
                           in_quotes(value));
    return out + "\n}\n";
}

}  // namespace sluice::save
