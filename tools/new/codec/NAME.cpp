// Runs of equal bytes as (length, byte): the simplest codec there is, to start from.
// SPDX-License-Identifier: Apache-2.0
#include "codec/@name@/@name@.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::codec {

Status decode_@name@(Bytes bytes, std::span<std::byte> out) {
    std::size_t filled = 0, at = 0;
    for (; at + 2 <= bytes.size(); at += 2) {
        auto const length = std::to_integer<std::size_t>(bytes[at]);
        if (length == 0 || length > out.size() - filled)
            return Error{.code = Code::corrupt,
                         .message = fmt::format("run of {} bytes ({} are left to fill) the file is "
                                                "damaged",
                                                length, out.size() - filled),
                         .at = at};
        std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(filled), length, bytes[at + 1]);
        filled += length;
    }
    if (at != bytes.size() || filled != out.size())
        return Error{.code = Code::truncated,
                     .message = fmt::format("data for {} bytes ({} are needed) the file is damaged",
                                            filled, out.size()),
                     .at = at};
    return {};
}

std::vector<std::byte> encode_@name@(Bytes values) {
    std::vector<std::byte> out;
    for (std::size_t at = 0; at < values.size();) {
        std::size_t length = 1;
        while (length < 255 && at + length < values.size() && values[at + length] == values[at])
            ++length;
        out.push_back(static_cast<std::byte>(length));
        out.push_back(values[at]);
        at += length;
    }
    return out;
}

}  // namespace sluice::codec
