// Counts with their nouns: "1 file", "2 files".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace sluice {

/// "1 file", "2 files"; `many` is what is not `one` with an s: plural(n, "tile is", "tiles are").
template <std::integral Number>
std::string plural(Number n, std::string_view one, std::string_view many = {}) {
    if (n == 1) return fmt::format("1 {}", one);
    return many.empty() ? fmt::format("{} {}s", n, one) : fmt::format("{} {}", n, many);
}

}  // namespace sluice
