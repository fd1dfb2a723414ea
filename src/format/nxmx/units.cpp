// Numbers of a master file in the units that it says they have.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/units.h"

namespace sluice::nxmx {
namespace {

struct Unit {
    std::string_view name, base;
    double factor;
};
// With the two letters that look like a u: micro and mu.
constexpr Unit units[] = {
    {"m", "m", 1},
    {"meter", "m", 1},
    {"metre", "m", 1},
    {"cm", "m", 1e-2},
    {"mm", "m", 1e-3},
    {"um", "m", 1e-6},
    {"\xC2\xB5m", "m", 1e-6},
    {"\xCE\xBCm", "m", 1e-6},
    {"micron", "m", 1e-6},
    {"micrometer", "m", 1e-6},
    {"micrometre", "m", 1e-6},
    {"nm", "m", 1e-9},
    {"s", "s", 1},
    {"second", "s", 1},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"\xC2\xB5s", "s", 1e-6},
    {"\xCE\xBCs", "s", 1e-6},
    {"ns", "s", 1e-9},
    {"eV", "eV", 1},
    {"keV", "eV", 1e3},
    {"MeV", "eV", 1e6},
};

}  // namespace

std::optional<double> in_base(std::string_view unit, std::string_view base) {
    if (unit.empty()) return 1;
    for (Unit const& u : units)
        if (u.base == base &&
            (u.name == unit || (u.name.size() > 3 && unit == std::string(u.name) + "s")))
            return u.factor;
    return {};
}

std::optional<Quantity> read_quantity(Values& file, std::string const& path,
                                      std::string_view base) {
    auto const v = file.number(path);
    if (!v) return {};
    auto const unit = file.attribute_text(path, "units");
    if (!unit) return Quantity{*v};
    auto const factor = in_base(*unit, base);
    if (!factor) return Quantity{*v, *unit};
    return Quantity{*v * *factor};
}

}  // namespace sluice::nxmx
