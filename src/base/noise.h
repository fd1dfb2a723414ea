// Bytes of a connection or a file that are no message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace sluice {

/// How many bytes there are up to where a message may begin, from `from` on at the earliest:
/// `first` is the first character of all that begin one, and `may_begin(text)` tells.
template <class MayBegin>
std::size_t noise_before(std::string_view text, std::size_t from, char first,
                         MayBegin const& may_begin) {
    std::size_t at = std::min(from, text.size());
    for (; at < text.size(); ++at) {
        at = std::min(text.find(first, at), text.size());
        if (may_begin(text.substr(at))) break;
    }
    return at;
}

}  // namespace sluice
