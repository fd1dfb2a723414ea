// Options of synthetic data as a path has them: "synthetic:NAME?key=value&key=value".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "sluice/result.h"

namespace sluice::synthetic {

inline Error wrong(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

inline bool within(double value, double low, double high) {
    return value >= low && value <= high;
}

template <class T>
Status read_number(std::string_view text, T& out) {
    T value{};
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (e != std::errc{} || end != text.data() + text.size())
        return wrong(fmt::format("\"{}\" is no number that fits here", text));
    out = value;
    return {};
}

inline Status read_switch(std::string_view text, bool& out) {
    bool const on = text == "1" || text == "true" || text == "on";
    bool const off = text == "0" || text == "false" || text == "off";
    if (!on && !off) return wrong(fmt::format("\"{}\" is neither on nor off", text));
    out = on;
    return {};
}

/// An option of the struct, and how its text is read.
template <class Options>
struct KeyOf {
    std::string_view name;
    Status (*read)(std::string_view, Options&);
};

/// NAME.
inline std::string_view name_in(std::string_view path) {
    auto const colon = path.find(':');
    auto const question = std::min(path.find('?'), path.size());
    return path.substr(colon + 1, question - colon - 1);
}

template <class Keys, class Options>
Status read_pair(std::string_view pair, Keys const& keys, Options& options) {
    using Key = KeyOf<Options>;
    auto const equals = pair.find('=');
    std::string_view const name = pair.substr(0, equals);
    auto const key = std::ranges::find(keys, name, &Key::name);
    if (key == keys.end()) {
        std::vector<std::string_view> names;
        for (Key const& k : keys) names.push_back(k.name);
        return wrong(fmt::format("there is no synthetic option \"{}\"; the options are {}", name,
                                 fmt::join(names, ", ")));
    }
    if (equals == std::string_view::npos)
        return wrong(fmt::format("the option \"{}\" has no value; write {}=...", name, name));
    if (Status s = key->read(pair.substr(equals + 1), options); !s)
        return wrong(
            fmt::format("cannot read the synthetic option {} ({})", name, s.error().message));
    return {};
}

/// Reads all pairs; an unknown key is an error that lists the keys.
template <class Keys, class Options>
Status read_keys(std::string_view path, Keys const& keys, Options& options) {
    auto const question = path.find('?');
    std::string_view rest = question < path.size() ? path.substr(question + 1) : "";
    while (!rest.empty()) {
        auto const end = std::min(rest.find('&'), rest.size());
        SLUICE_CHECK(read_pair(rest.substr(0, end), keys, options));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

}  // namespace sluice::synthetic
