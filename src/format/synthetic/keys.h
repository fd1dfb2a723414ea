// Options of synthetic data as a path has them: "synthetic:NAME?key=value&key=value".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "config/field.h"

namespace sluice::synthetic {

inline Error wrong(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

inline bool within(double value, double low, double high) {
    return value >= low && value <= high;
}

/// NAME.
inline std::string_view name_in(std::string_view path) {
    auto const colon = path.find(':');
    auto const question = std::min(path.find('?'), path.size());
    return path.substr(colon + 1, question - colon - 1);
}

/// Paths say 1, on and true.
template <class Options>
Status read_from_path(config::Field<Options> const& field, std::string_view text,
                      Options& options) {
    if (field.kind != config::Kind::flag) return field.set(options, text);
    if (text == "1" || text == "on") text = "true";
    if (text == "0" || text == "off") text = "false";
    if (field.set(options, text)) return {};
    return wrong(fmt::format("{} is '{}' (neither on nor off) give one of them", field.name, text));
}

/// Reads all pairs by `set(name, value)`; an unknown name is an error that lists the names.
template <class Set>
Status read_pairs(std::string_view path, std::vector<std::string_view> const& names,
                  Set const& set) {
    auto const question = path.find('?');
    std::string_view rest = question < path.size() ? path.substr(question + 1) : "";
    while (!rest.empty()) {
        auto const end = std::min(rest.find('&'), rest.size());
        std::string_view const pair = rest.substr(0, end);
        auto const equals = pair.find('=');
        std::string_view const name = pair.substr(0, equals);
        if (std::ranges::find(names, name) == names.end())
            return wrong(fmt::format("there is no synthetic option \"{}\"; the options are {}",
                                     name, fmt::join(names, ", ")));
        if (equals == std::string_view::npos)
            return wrong(fmt::format("the option \"{}\" has no value; write {}=...", name, name));
        SLUICE_CHECK(set(name, pair.substr(equals + 1)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

}  // namespace sluice::synthetic
