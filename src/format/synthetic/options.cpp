// Reading and checking synthetic options.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/options.h"

#include <fmt/format.h>

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

Status read_shape(std::string_view text, std::array<index, 2>& out) {
    SLUICE_TRY(out, parse_shape(text));
    return {};
}

Status read_dtype(std::string_view text, DType& out) {
    SLUICE_TRY(out, parse_dtype(text));
    return {};
}

using Options = SyntheticOptions;
using Key = KeyOf<Options>;
using Text = std::string_view;
constexpr std::array keys{
    Key{"scan", [](Text t, Options& o) { return read_shape(t, o.scan); }},
    Key{"detector", [](Text t, Options& o) { return read_shape(t, o.detector); }},
    Key{"dtype", [](Text t, Options& o) { return read_dtype(t, o.dtype); }},
    Key{"dose", [](Text t, Options& o) { return read_number(t, o.dose); }},
    Key{"disk_radius", [](Text t, Options& o) { return read_number(t, o.disk_radius); }},
    Key{"bragg", [](Text t, Options& o) { return read_number(t, o.bragg); }},
    Key{"diffuse", [](Text t, Options& o) { return read_number(t, o.diffuse); }},
    Key{"wobble", [](Text t, Options& o) { return read_number(t, o.wobble); }},
    Key{"lattice", [](Text t, Options& o) { return read_number(t, o.lattice); }},
    Key{"seed", [](Text t, Options& o) { return read_number(t, o.seed); }},
    Key{"masked", [](Text t, Options& o) { return read_number(t, o.masked); }},
    Key{"sentinel", [](Text t, Options& o) { return read_switch(t, o.sentinel); }},
};

}  // namespace

Result<std::array<index, 2>> parse_shape(std::string_view text) {
    auto const x = text.find('x');
    std::array<index, 2> shape{};
    bool const good = x != std::string_view::npos && read_number(text.substr(0, x), shape[0]) &&
                      read_number(text.substr(x + 1), shape[1]) && shape[0] > 0 && shape[1] > 0;
    if (!good)
        return wrong(
            fmt::format("\"{}\" is no shape; write rows x columns, such as 256x192", text));
    return shape;
}

Result<DType> parse_dtype(std::string_view text) {
    if (text == "uint8" || text == "u8") return DType::u8;
    if (text == "uint16" || text == "u16") return DType::u16;
    if (text == "uint32" || text == "u32") return DType::u32;
    return wrong(fmt::format("\"{}\" is no count type; use uint8, uint16 or uint32", text));
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
    SLUICE_CHECK(read_keys(path, keys, options));
    SLUICE_CHECK(validate(options));
    return options;
}

}  // namespace synthetic
}  // namespace sluice
