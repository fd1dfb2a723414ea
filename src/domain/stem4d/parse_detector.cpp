// Detectors out of text.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>

#include "domain/stem4d/words.h"
#include "format/npy/plane.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {
namespace {

Error bad_detector(std::string const& text, std::string why) {
    return {
        Code::invalid_argument,
        fmt::format("detector '{}': {}; write for example bf, adf, disk:r=20, annulus:r=40..90, "
                    "rectangle:rows=10..20,cols=30..60, polygon:10:10/10:90/60:50, mask:FILE.npy",
                    text, why)};
}

Result<double> number(std::string_view s) {
    double v = 0;
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
    if (error != std::errc{} || end != s.data() + s.size() || !std::isfinite(v))
        return Error{Code::invalid_argument, fmt::format("'{}' is not a number", s)};
    return v;
}

/// "a<separator>b"
Result<Point> pair(std::string_view s, std::string_view separator) {
    std::size_t const at = s.find(separator);
    if (at == std::string_view::npos)
        return Error{Code::invalid_argument, fmt::format("'{}' lacks '{}'", s, separator)};
    Point p;
    SLUICE_TRY(p.row, number(s.substr(0, at)));
    SLUICE_TRY(p.col, number(s.substr(at + separator.size())));
    return p;
}

struct Parts {
    std::string kind, rest;
    std::map<std::string, std::string> keys;
};

Result<Parts> split(std::string_view text) {
    Parts p;
    std::size_t const colon = text.find(':');
    p.kind = text.substr(0, colon);
    if (colon == std::string_view::npos) return p;
    p.rest = text.substr(colon + 1);
    if (p.kind == "mask" || p.kind == "weights" || p.kind == "polygon") return p;
    for (std::string_view rest = p.rest; !rest.empty();) {
        std::string_view const item = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), item.size() + 1));
        std::size_t const equals = item.find('=');
        if (equals == std::string_view::npos)
            return Error{Code::invalid_argument, fmt::format("'{}' is no key=value", item)};
        std::string const key(item.substr(0, equals));
        if (!p.keys.emplace(key, item.substr(equals + 1)).second)
            return Error{Code::invalid_argument, fmt::format("'{}' is given twice", key)};
    }
    return p;
}

bool preset(std::string const& kind, Detector& d) {
    struct Preset {
        std::string_view name;
        double inner, outer;
    };
    constexpr Preset presets[] = {{"bf", 0, 1}, {"abf", 0.5, 1}, {"adf", 1, 2}, {"haadf", 2, 4}};
    for (Preset const& p : presets) {
        if (p.name != kind) continue;
        d.shape = p.inner > 0 ? Detector::Shape::annulus : Detector::Shape::disk;
        d.unit = Detector::Unit::disk_radii;
        d.inner = p.inner, d.outer = p.outer;
        return true;
    }
    return false;
}

Status read_pixels(std::string const& path, Detector& d) {
    SLUICE_TRY(Array<float> array, npy::load_plane(path));
    d.pixels = std::move(array.values);
    d.from = {static_cast<double>(array.shape[0]), static_cast<double>(array.shape[1])};
    return {};
}

Status polygon(std::string_view rest, Detector& d) {
    while (!rest.empty()) {
        std::string_view const corner = rest.substr(0, rest.find('/'));
        rest.remove_prefix(std::min(rest.size(), corner.size() + 1));
        SLUICE_TRY(Point const p, pair(corner, ":"));
        d.corners.push_back(p);
    }
    if (d.corners.size() < 3)
        return Error{Code::invalid_argument, "a polygon needs three corners row:col/row:col/..."};
    return {};
}

// Takes the keys a shape knows out of the map, so that what is left over is a mistake.
Status fill(Parts& parts, Detector& d) {
    auto const take = [&](char const* key) -> std::optional<std::string> {
        auto const node = parts.keys.extract(key);
        if (node.empty()) return {};
        return node.mapped();
    };
    using Shape = Detector::Shape;
    if (d.shape != Shape::rectangle)
        if (auto const text = take("center")) {
            SLUICE_TRY(d.center, pair(*text, ":"));
        }
    auto const required = [&](char const* key) -> Result<std::string> {
        auto value = take(key);
        if (!value)
            return Error{Code::invalid_argument, fmt::format("{} needs {}=", parts.kind, key)};
        return *value;
    };
    if (parts.kind == "disk") {
        SLUICE_TRY(std::string const r, required("r"));
        SLUICE_TRY(d.outer, number(r));
    } else if (parts.kind == "annulus") {
        SLUICE_TRY(std::string const r, required("r"));
        SLUICE_TRY(Point const radii, pair(r, ".."));
        d.inner = radii.row, d.outer = radii.col;
    } else if (parts.kind == "point") {
        if (parts.keys.contains("row")) {
            d.center = Point{};
            SLUICE_TRY(std::string const row, required("row"));
            SLUICE_TRY(std::string const col, required("col"));
            SLUICE_TRY(d.center->row, number(row));
            SLUICE_TRY(d.center->col, number(col));
        }
    } else if (parts.kind == "square") {
        SLUICE_TRY(std::string const half, required("half"));
        SLUICE_TRY(d.outer, number(half));
    } else if (parts.kind == "rectangle") {
        SLUICE_TRY(std::string const rows, required("rows"));
        SLUICE_TRY(std::string const cols, required("cols"));
        SLUICE_TRY(Point const r, pair(rows, ".."));
        SLUICE_TRY(Point const c, pair(cols, ".."));
        d.from = {r.row, c.row}, d.to = {r.col, c.col};
        if (d.from.row > d.to.row || d.from.col > d.to.col)
            return Error{
                Code::invalid_argument,
                fmt::format("rows {} and columns {} (the smaller number comes first)", rows, cols)};
    }
    if (d.outer < d.inner || d.inner < 0)
        return Error{
            Code::invalid_argument,
            fmt::format("radii {} to {} (the outer must be the larger)", d.inner, d.outer)};
    if (!parts.keys.empty())
        return Error{Code::invalid_argument,
                     fmt::format("{} has no '{}'", parts.kind, parts.keys.begin()->first)};
    return {};
}

}  // namespace

Result<Detector> parse_detector(std::string const& text) {
    Detector d;
    d.name = text;
    std::string_view rest = text;
    std::size_t const equals = rest.find('=');
    if (equals != std::string_view::npos && equals < rest.find(':')) {
        d.name = rest.substr(0, equals);
        rest.remove_prefix(equals + 1);
    }
    auto parts = split(rest);
    if (!parts) return bad_detector(text, parts.error().message);
    using Shape = Detector::Shape;
    bool const known = preset(parts->kind, d);
    if (!known) {
        auto const shape = config::read_word<Shape>("the shape", parts->kind);
        if (!shape) return bad_detector(text, "unknown shape '" + parts->kind + "'");
        d.shape = *shape;
    }
    Status s;
    if (d.shape == Shape::mask || d.shape == Shape::weights)
        s = read_pixels(parts->rest, d);
    else if (d.shape == Shape::polygon)
        s = polygon(parts->rest, d);
    else
        s = fill(*parts, d);
    if (!s && s.error().file.empty()) return bad_detector(text, s.error().message);
    if (!s) return std::move(s).error();
    return d;
}

}  // namespace sluice::stem4d
