// Tables of the units of axes.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_units.h"

#include <cctype>
#include <map>
#include <numbers>

namespace sluice::hdf5 {
namespace {

using Units = std::map<std::string, double>;

std::optional<double> find(Units const& units, std::string const& unit) {
    auto const known = units.find(unit);
    return known == units.end() ? std::nullopt : std::optional(known->second);
}

/// Of "1/a" or "a^-1" the length; empty where the unit is not a frequency.
std::string length_below(std::string const& unit) {
    if (unit.starts_with("1/")) return unit.substr(2);
    for (std::string_view const ending : {"^-1", "-1", "\u207b\u00b9"})
        if (unit.ends_with(ending)) return unit.substr(0, unit.size() - ending.size());
    return {};
}

}  // namespace

std::string plain_word(std::string const& text) {
    std::string out;
    for (char c : text)
        if (std::string_view("_[](){}$\\ ").find(c) == std::string_view::npos)
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::optional<double> nm_of(std::string const& unit) {
    // "aa" and "mum" are \AA and \mu m of LaTeX.
    static Units const units{{"nm", 1},       {"a", 0.1},       {"angstrom", 0.1}, {"\u00e5", 0.1},
                             {"\u00c5", 0.1}, {"\u212b", 0.1},  {"aa", 0.1},       {"pm", 1e-3},
                             {"um", 1e3},     {"\u00b5m", 1e3}, {"\u03bcm", 1e3},  {"mum", 1e3},
                             {"mm", 1e6},     {"m", 1e9}};
    return find(units, unit);
}

std::optional<double> mrad_of(std::string const& unit) {
    static Units const units{{"mrad", 1}, {"rad", 1e3}, {"deg", std::numbers::pi / 0.18}};
    return find(units, unit);
}

std::optional<double> per_nm_of(std::string const& unit) {
    auto const length = nm_of(length_below(unit));
    return length ? std::optional(1 / *length) : std::nullopt;
}

}  // namespace sluice::hdf5
