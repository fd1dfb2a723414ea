// Numbers with units.
// SPDX-License-Identifier: Apache-2.0
#include "config/quantity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <numbers>

namespace sluice::config {
namespace {

struct Unit {
    std::string_view name;
    Dimension dimension;
    double factor;
};
constexpr Unit units[] = {
    {"MeV", Dimension::energy, 1},    {"keV", Dimension::energy, 1e-3},
    {"GeV", Dimension::energy, 1e3},  {"mm", Dimension::length, 1},
    {"cm", Dimension::length, 10},    {"m", Dimension::length, 1000},
    {"um", Dimension::length, 1e-3},  {"deg", Dimension::angle, std::numbers::pi / 180},
    {"mrad", Dimension::angle, 1e-3}, {"rad", Dimension::angle, 1},
    {"g/cm3", Dimension::density, 1}, {"kg/m3", Dimension::density, 1e-3}};

}  // namespace

std::string_view example_of(Dimension dimension) {
    switch (dimension) {
        case Dimension::energy:
            return "150 MeV";
        case Dimension::length:
            return "2.5 mm";
        case Dimension::angle:
            return "3 mrad";
        case Dimension::density:
            return "1.05 g/cm3";
    }
    return {};
}

std::vector<std::string_view> units_of(Dimension dimension) {
    std::vector<std::string_view> names;
    for (Unit const& u : units)
        if (u.dimension == dimension) names.push_back(u.name);
    return names;
}

std::string_view base_unit(Dimension dimension) {
    for (Unit const& u : units)
        if (u.dimension == dimension && u.factor == 1) return u.name;
    return {};
}

Result<double> parse_quantity(std::string_view text, Dimension dimension) {
    auto const bad = [&](std::string_view why) {
        return Error{Code::invalid_argument,
                     fmt::format("'{}' {}; write for example \"{}\" (units: {})", text, why,
                                 example_of(dimension), fmt::join(units_of(dimension), ", "))};
    };
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) return bad("does not begin with a number");
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    if (unit.empty()) return bad("has no unit");
    for (Unit const& u : units)
        if (u.name == unit && u.dimension == dimension) return value * u.factor;
    return bad("has a unit of another kind");
}

}  // namespace sluice::config
