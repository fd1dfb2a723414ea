// Lines of ffprobe, one character at a time.
// SPDX-License-Identifier: Apache-2.0
#include "audio/flat.h"

#include <fmt/format.h>

namespace sluice::audio {
namespace {

Error not_flat(std::string_view rest) {
    return {Code::corrupt, fmt::format("ffprobe gives an answer that cannot be parsed (\"{}\")",
                                       rest.substr(0, rest.find('\n')).substr(0, 80))};
}

// Takes a quoted text off `rest`; false if it has no end.
bool take_quoted(std::string_view& rest, std::string& value) {
    for (std::size_t k = 1; k < rest.size(); ++k) {
        char c = rest[k];
        if (c == '"') {
            rest.remove_prefix(k + 1);
            return true;
        }
        if (c == '\\') {
            if (++k == rest.size()) return false;
            c = rest[k] == 'n' ? '\n' : rest[k] == 'r' ? '\r' : rest[k];
        }
        value += c;
    }
    return false;
}

}  // namespace

Result<std::map<std::string, std::string, std::less<>>> parse_flat(std::string_view text) {
    std::map<std::string, std::string, std::less<>> out;
    while (!text.empty()) {
        std::string_view const line = text;
        std::size_t const equals = text.find_first_of("=\n");
        if (equals == std::string_view::npos || text[equals] != '=') return not_flat(line);
        std::string key(text.substr(0, equals)), value;
        text.remove_prefix(equals + 1);
        if (text.starts_with('"')) {
            if (!take_quoted(text, value)) return not_flat(line);
        } else {
            std::size_t const end = std::min(text.find('\n'), text.size());
            value = text.substr(0, end);
            text.remove_prefix(end);
        }
        if (!text.empty() && text[0] != '\n') return not_flat(line);
        if (!text.empty()) text.remove_prefix(1);
        if (!out.emplace(std::move(key), std::move(value)).second) return not_flat(line);
    }
    return out;
}

}  // namespace sluice::audio
