// The names of tags, and their text.
// SPDX-License-Identifier: Apache-2.0
#include "audio/tags.h"

#include <sndfile.h>

#include "base/utf8.h"

namespace sluice::audio {

std::array<TagName, 6> const tag_names{{
    {&Tags::title, "title", "INAM", SF_STR_TITLE},
    {&Tags::artist, "artist", "IART", SF_STR_ARTIST},
    {&Tags::album, "album", "IPRD", SF_STR_ALBUM},
    {&Tags::track, "track", "ITRK", SF_STR_TRACKNUMBER},
    {&Tags::date, "date", "ICRD", SF_STR_DATE},
    {&Tags::comment, "comment", "ICMT", SF_STR_COMMENT},
}};

std::string tag_text(std::string_view text) {
    bool utf8 = true;
    for (std::string_view rest = text; utf8 && !rest.empty();)
        utf8 = next_character(rest) != not_utf8;
    std::string out;
    while (!text.empty()) {
        std::string_view const before = text;
        if (utf8)
            next_character(text);
        else
            text.remove_prefix(1);
        std::string_view const one = before.substr(0, before.size() - text.size());
        auto const c = static_cast<unsigned char>(one[0]);
        std::string shown(one);
        if (c < ' ' || c == 127) shown = ' ';
        if (!utf8 && c >= 0x80)
            shown = {static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 0x3f))};
        if (out.size() + shown.size() > most_tag) break;
        out += shown;
    }
    while (out.ends_with(' ')) out.pop_back();
    return out;
}

}  // namespace sluice::audio
