// Names out of files, as errors may print them.
// SPDX-License-Identifier: Apache-2.0
#include "codec/zip/quoted.h"

#include "base/utf8.h"

namespace sluice::zip {

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 120;
    std::string out = "'";
    for (char const c : text.substr(0, most)) out += c >= ' ' && c < 0x7f ? c : '?';
    return out + (text.size() > most ? "...'" : "'");
}

bool is_name(std::string_view text) {
    if (text.empty() || text.size() > 512) return false;
    while (!text.empty()) {
        char32_t const c = next_character(text);
        // The controls of C0 and C1, and bytes that are not UTF-8.
        if (c == not_utf8 || c < 0x20 || (c >= 0x7f && c < 0xa0)) return false;
    }
    return true;
}

}  // namespace sluice::zip
