// Reading and checking synthetic options.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

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

Error wrong(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

template <class T>
Status read_number(std::string_view text, T& out) {
    T value{};
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (e != std::errc{} || end != text.data() + text.size())
        return wrong(fmt::format("\"{}\" is not a number that fits here", text));
    out = value;
    return {};
}

Status read_switch(std::string_view text, bool& out) {
    bool const on = text == "1" || text == "true" || text == "on";
    bool const off = text == "0" || text == "false" || text == "off";
    if (!on && !off) return wrong(fmt::format("\"{}\" is neither on nor off", text));
    out = on;
    return {};
}

Status read_shape(std::string_view text, std::array<index, 2>& out) {
    SLUICE_TRY(out, parse_shape(text));
    return {};
}

Status read_dtype(std::string_view text, DType& out) {
    SLUICE_TRY(out, parse_dtype(text));
    return {};
}

using Options = SyntheticOptions;
struct Key {
    std::string_view name;
    Status (*read)(std::string_view, Options&);
};
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

Status read_pair(std::string_view pair, SyntheticOptions& options) {
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

bool within(double value, double low, double high) {
    return value >= low && value <= high;
}

}  // namespace

Result<std::array<index, 2>> parse_shape(std::string_view text) {
    auto const x = text.find('x');
    std::array<index, 2> shape{};
    bool const good = x != std::string_view::npos && read_number(text.substr(0, x), shape[0]) &&
                      read_number(text.substr(x + 1), shape[1]) && shape[0] > 0 && shape[1] > 0;
    if (!good)
        return wrong(
            fmt::format("\"{}\" is not a shape; write rows x columns, such as 256x192", text));
    return shape;
}

Result<DType> parse_dtype(std::string_view text) {
    if (text == "uint8" || text == "u8") return DType::u8;
    if (text == "uint16" || text == "u16") return DType::u16;
    if (text == "uint32" || text == "u32") return DType::u32;
    return wrong(fmt::format("\"{}\" is not a count type; use uint8, uint16 or uint32", text));
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
    auto const colon = path.find(':');
    auto const question = std::min(path.find('?'), path.size());
    std::string_view const what = path.substr(colon + 1, question - colon - 1);
    if (what != "stem4d")
        return wrong(
            fmt::format("there is no synthetic data set \"{}\"; use synthetic:stem4d", what));
    SyntheticOptions options;
    std::string_view rest = question < path.size() ? path.substr(question + 1) : "";
    while (!rest.empty()) {
        auto const end = std::min(rest.find('&'), rest.size());
        SLUICE_CHECK(read_pair(rest.substr(0, end), options));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    SLUICE_CHECK(validate(options));
    return options;
}

}  // namespace synthetic
}  // namespace sluice
