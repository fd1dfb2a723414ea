// Numbers with prefixes.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/amounts.h"

#include <fmt/format.h>

namespace sluice::doctor {

std::string amount(double value, std::string_view unit) {
    struct Prefix {
        double from;
        char const* name;
    };
    for (auto const& [from, name] : {Prefix{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
        if (value >= from) return fmt::format("{:.3g} {}{}", value / from, name, unit);
    return fmt::format("{:.3g} {}", value, unit);
}

std::string bytes_text(std::uint64_t bytes) {
    return amount(static_cast<double>(bytes), "B");
}

}  // namespace sluice::doctor
