// Whether any bit of some bytes is set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "sluice/view.h"

namespace sluice::codec {

inline bool has_bits(std::byte const* from, std::size_t bytes) {
    std::size_t i = 0;
    for (; i + 64 <= bytes; i += 64) {
        std::uint64_t words[8], any = 0;
        std::memcpy(words, from + i, sizeof words);
        for (std::uint64_t const word : words) any |= word;
        if (any != 0) return true;
    }
    return std::any_of(from + i, from + bytes, [](std::byte b) { return b != std::byte{}; });
}

}  // namespace sluice::codec
