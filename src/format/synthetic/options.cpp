// Reading and checking synthetic options.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "format/synthetic/keys.h"

namespace sluice {

std::uint32_t SyntheticOptions::saturation() const {
    switch (dtype) {
        case DType::u8:
            return 0xfe;
        case DType::u16:
            return 0xfffe;
        default:
            return 0xfffffffe;
    }
}

double SyntheticOptions::radius() const {
    if (disk_radius > 0) return disk_radius;
    return 0.104 * static_cast<double>(std::min(detector[0], detector[1]));
}

namespace synthetic {
namespace {

// "uint16" or "u16".
Status read_dtype(config::Shown const& shown, std::string_view text, DType& out) {
    for (DType const type : {DType::u8, DType::u16, DType::u32}) {
        std::string const bits = fmt::format("{}", 8 * size_of(type));
        if (text != "u" + bits && text != "uint" + bits) continue;
        out = type;
        return {};
    }
    return wrong(
        fmt::format("{} '{}' (electrons are counted in whole numbers) use uint8, uint16 "
                    "or uint32",
                    shown.name, text));
}
std::string dtype_text(DType type) {
    return std::string(name_of(type));
}

using config::custom_field;
using config::field;
using Options = SyntheticOptions;

constexpr config::Field<Options> all_fields[] = {
    custom_field<&Options::scan, read_shape, shape_text>("scan", "scan rows x columns"),
    custom_field<&Options::detector, read_shape, shape_text>("detector", "detector rows x columns"),
    custom_field<&Options::dtype, read_dtype, dtype_text>("dtype", "uint8, uint16 or uint32"),
    field<&Options::dose>("dose", "mean electrons per frame"),
    field<&Options::disk_radius>("disk_radius", "pixels; 0: 0.104 of the smaller side"),
    field<&Options::bragg>("bragg", "share of them in Bragg disks"),
    field<&Options::diffuse>("diffuse", "share in the background"),
    field<&Options::wobble>("wobble", "descan error in pixels"),
    field<&Options::lattice>("lattice", "period in scan points; 0: an empty specimen"),
    field<&Options::seed>("seed", "of the random numbers"),
    field<&Options::masked>("masked", "number of bad pixels"),
    field<&Options::sentinel>("sentinel", "bad pixels hold 0").called("--mask-to-zero"),
};

}  // namespace

Status read_shape(config::Shown const& shown, std::string_view text, std::array<index, 2>& out) {
    auto const x = text.find('x');
    std::array<index, 2> shape{};
    auto const side = [&](std::string_view digits, index& n) {
        return config::read_value({shown.name, config::positive}, digits, n);
    };
    if (x == std::string_view::npos || !side(text.substr(0, x), shape[0]) ||
        !side(text.substr(x + 1), shape[1]))
        return wrong(fmt::format("{} '{}' (not a shape) write ROWSxCOLUMNS, as in 256x256",
                                 shown.name, text));
    out = shape;
    return {};
}

std::string shape_text(std::array<index, 2> const& shape) {
    return fmt::format("{}x{}", shape[0], shape[1]);
}

config::Fields<SyntheticOptions> fields() {
    return all_fields;
}

Status validate(SyntheticOptions const& o) {
    for (index n : {o.scan[0], o.scan[1], o.detector[0], o.detector[1]})
        if (n < 1 || n > 65536)
            return wrong(fmt::format("a scan or detector side of {} (1 to 65536 can be made)", n));
    if (o.dtype != DType::u8 && o.dtype != DType::u16 && o.dtype != DType::u32)
        return wrong("electrons are counted in uint8, uint16 or uint32");
    if (!within(o.dose, 0, 1e9))
        return wrong(
            fmt::format("a dose of {} electrons per frame (0 to 1e9 can be made)", o.dose));
    if (!(o.bragg >= 0 && o.diffuse >= 0 && o.bragg + o.diffuse <= 1))
        return wrong(
            fmt::format("shares of {} Bragg and {} diffuse electrons; they must not be "
                        "negative, and at most 1 together",
                        o.bragg, o.diffuse));
    double const half = static_cast<double>(std::min(o.detector[0], o.detector[1])) / 2;
    if (!within(o.disk_radius, 0, half))
        return wrong(
            fmt::format("a disk of radius {} (the detector has room for {})", o.disk_radius, half));
    if (!within(o.wobble, 0, half))
        return wrong(fmt::format("a wobble of {} pixels (0 to {} can be made)", o.wobble, half));
    if (o.lattice != 0 && !within(o.lattice, 1, 1e6))
        return wrong(
            fmt::format("a lattice of {} scan points; use 0 for none, else 1 or more", o.lattice));
    if (o.masked < 0 || o.masked > o.pixels() / 2)
        return wrong(
            fmt::format("{} masked pixels (at most half of the {} can be)", o.masked, o.pixels()));
    return {};
}

Result<SyntheticOptions> parse_path(std::string_view path) {
    if (name_in(path) != "stem4d")
        return wrong(
            fmt::format("there is no synthetic data set \"{}\"; use synthetic:stem4d or "
                        "synthetic:crystal",
                        name_in(path)));
    SyntheticOptions options;
    std::vector<std::string_view> names;
    for (auto const& field : all_fields) names.push_back(field.name);
    SLUICE_CHECK(read_pairs(path, names, [&](std::string_view name, std::string_view text) {
        return read_from_path(*config::find_field(fields(), name), text, options);
    }));
    SLUICE_CHECK(validate(options));
    return options;
}

}  // namespace synthetic
}  // namespace sluice
