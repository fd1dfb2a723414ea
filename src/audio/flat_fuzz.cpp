// Fuzz target: any text as an answer of ffprobe; its values as tags.
// SPDX-License-Identifier: Apache-2.0
#include "audio/flat.h"
#include "audio/tags.h"
#include "base/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using sluice::expects;
    auto const answer = sluice::audio::parse_flat({reinterpret_cast<char const*>(data), size});
    if (!answer) return 0;
    std::size_t kept = 0;
    for (auto const& [key, value] : *answer) {
        kept += key.size() + value.size() + 1;
        std::string const text = sluice::audio::tag_text(value);
        expects(text.size() <= sluice::audio::most_tag);
        for (std::string_view rest = text; !rest.empty();)
            expects(sluice::next_character(rest) != sluice::not_utf8);
    }
    expects(kept <= size);
    return 0;
}
