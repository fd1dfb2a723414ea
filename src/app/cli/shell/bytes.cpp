// "500M" as bytes.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shell/bytes.h"

#include <fmt/format.h>

#include <charconv>

namespace sluice::cli {

Result<std::uint64_t> parse_bytes(std::string const& text) {
    std::string_view s = text;
    std::uint64_t unit = 1, n = 0;
    if (!s.empty()) {
        switch (s.back()) {
            case 'k':
            case 'K':
                unit = 1000;
                break;
            case 'M':
                unit = 1000000;
                break;
            case 'G':
                unit = 1000000000;
                break;
            default:
                break;
        }
        if (unit > 1) s.remove_suffix(1);
    }
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
    if (error != std::errc{} || end != s.data() + s.size() || n == 0 ||
        n > (std::uint64_t{1} << 50) / unit)
        return Error{
            Code::invalid_argument,
            fmt::format("'{}' (not an amount of memory) write for example 500M or 4G", text)};
    return n * unit;
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::pair<char const*, std::uint64_t> units[] = {
        {"G", 1'000'000'000}, {"M", 1'000'000}, {"k", 1'000}};
    for (auto const& [name, unit] : units)
        if (bytes > 0 && bytes % unit == 0) return fmt::format("{}{}", bytes / unit, name);
    return fmt::format("{}", bytes);
}

}  // namespace sluice::cli
