// The names of axes.
// SPDX-License-Identifier: Apache-2.0
#include "format/boxes/axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sluice::boxes {
namespace {

constexpr std::string_view names[] = {"scan_row", "scan_column", "detector_row", "detector_column",
                                      "scan"};
constexpr std::string_view short_names[] = {"sr", "sc", "dr", "dc", "s"};

Error wrong(std::string const& text, std::size_t rank, std::string const& why) {
    return {Code::invalid_argument,
            fmt::format("--axis-order '{}' ({}); name the {} dimensions of the array, slowest "
                        "first, as in {}",
                        text, why, rank,
                        rank == 3 ? "detector_row,detector_column,scan"
                                  : "detector_row,detector_column,scan_row,scan_column")};
}

std::optional<std::size_t> number_of(std::string_view name) {
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (name == names[i] || name == short_names[i]) return i;
    return {};
}

}  // namespace

FrameAxes usual_axes(std::size_t rank) {
    FrameAxes a;
    for (std::size_t d = 0; d + 2 < rank; ++d) a.scan.push_back(d);
    a.row = rank - 2;
    a.col = rank - 1;
    return a;
}

Result<FrameAxes> parse_axes(std::string const& text, std::size_t rank) {
    std::vector<std::size_t> roles;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find(',', at), text.size());
        auto const role = number_of(std::string_view(text).substr(at, end - at));
        if (!role)
            return wrong(text, rank,
                         fmt::format("'{}' is not one of {}", text.substr(at, end - at),
                                     fmt::join(names, ", ")));
        if (std::ranges::count(roles, *role) > 0) return wrong(text, rank, "it names one twice");
        roles.push_back(*role);
        at = end + 1;
    }
    auto const place = [&](std::size_t role) {
        return static_cast<std::size_t>(std::ranges::find(roles, role) - roles.begin());
    };
    if (roles.size() != rank)
        return wrong(text, rank, fmt::format("the array has {} dimensions", rank));
    FrameAxes a;
    a.row = place(2);
    a.col = place(3);
    if (rank == 3) a.scan = {place(4)};
    if (rank == 4) a.scan = {place(0), place(1)};
    bool const whole = a.row < rank && a.col < rank &&
                       std::ranges::all_of(a.scan, [&](std::size_t d) { return d < rank; });
    if (a.scan.empty() || !whole)
        return wrong(
            text, rank,
            rank == 3 ? "with 3 dimensions the frames are 'scan'" : "every axis is needed once");
    return a;
}

std::string axes_text(FrameAxes const& a) {
    std::vector<std::string_view> text(a.scan.size() + 2);
    text[a.row] = names[2];
    text[a.col] = names[3];
    for (std::size_t i = 0; i < a.scan.size(); ++i)
        text[a.scan[i]] = a.scan.size() == 1 ? names[4] : names[i];
    return fmt::format("{}", fmt::join(text, ","));
}

}  // namespace sluice::boxes
