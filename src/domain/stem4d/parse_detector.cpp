// Detectors out of text.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "domain/stem4d/words.h"
#include "format/npy/plane.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {
namespace {

Error bad_detector(std::string const& text, std::string why) {
    return {Code::invalid_argument,
            fmt::format("detector '{}': {}; write for example bf, adf:60..200mrad, disk:r=20, "
                        "annulus:r=40..90, rectangle:rows=10..20,cols=30..60, "
                        "polygon:10:10/10:90/60:50, mask:FILE.npy",
                        text, why)};
}

Result<double> number(std::string_view s) {
    double v = 0;
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
    if (error != std::errc{} || end != s.data() + s.size() || !std::isfinite(v))
        return Error{Code::invalid_argument, fmt::format("'{}' is not a number", s)};
    return v;
}

/// "row:col"
Result<Point> point(std::string_view s) {
    std::size_t const colon = s.find(':');
    if (colon == std::string_view::npos)
        return Error{Code::invalid_argument, fmt::format("'{}' lacks ':'", s)};
    Point p;
    SLUICE_TRY(p.row, number(s.substr(0, colon)));
    SLUICE_TRY(p.col, number(s.substr(colon + 1)));
    return p;
}

/// Takes the unit off the end of a text.
bool take_mrad(std::string_view& s) {
    constexpr std::string_view unit = "mrad";
    if (!s.ends_with(unit)) return false;
    s.remove_suffix(unit.size());
    return true;
}

/// Lengths and ranges of a detector, which are all in pixels or all in mrad.
struct Lengths {
    Detector& d;
    bool any = false;

    Status in(bool mrad) {
        auto const unit = mrad ? Detector::Unit::mrad : Detector::Unit::pixels;
        if (any && d.unit != unit)
            return Error{Code::invalid_argument, "some of its numbers are in mrad, others are not"};
        d.unit = unit, any = true;
        return {};
    }
    Status read(std::string_view s, double& length) {
        SLUICE_CHECK(in(take_mrad(s)));
        SLUICE_TRY(length, number(s));
        return {};
    }
    /// "a..b", the unit behind b or behind both.
    Status read(std::string_view s, double& from, double& to) {
        std::size_t const dots = s.find("..");
        if (dots == std::string_view::npos)
            return Error{Code::invalid_argument, fmt::format("'{}' lacks '..'", s)};
        std::string_view first = s.substr(0, dots), last = s.substr(dots + 2);
        SLUICE_CHECK(in(take_mrad(last)));
        if (take_mrad(first)) SLUICE_CHECK(in(true));
        SLUICE_TRY(from, number(first));
        SLUICE_TRY(to, number(last));
        return {};
    }
};

struct Parts {
    std::string kind, rest;
    std::string radii;  ///< of a preset, as in "adf:60..200mrad"
    std::map<std::string, std::string> keys;
};

struct Preset {
    std::string_view name;
    double inner, outer;  ///< in radii of the disk
};

Preset const* preset_of(std::string_view kind) {
    static constexpr Preset presets[] = {
        {"bf", 0, 1}, {"abf", 0.5, 1}, {"adf", 1, 2}, {"haadf", 2, 4}};
    auto const* const found = std::ranges::find(presets, kind, &Preset::name);
    return found == std::end(presets) ? nullptr : found;
}

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
        if (equals == std::string_view::npos && p.radii.empty() && preset_of(p.kind)) {
            p.radii = item;
            continue;
        }
        if (equals == std::string_view::npos)
            return Error{Code::invalid_argument, fmt::format("'{}' is not key=value", item)};
        std::string const key(item.substr(0, equals));
        if (!p.keys.emplace(key, item.substr(equals + 1)).second)
            return Error{Code::invalid_argument, fmt::format("'{}' is given twice", key)};
    }
    return p;
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
        SLUICE_TRY(Point const p, point(corner));
        d.corners.push_back(p);
    }
    if (d.corners.size() < 3)
        return Error{Code::invalid_argument, "a polygon needs three corners row:col/row:col/..."};
    return {};
}

// Takes the keys a shape knows out of the map; keys that remain are mistakes.
Status fill(Parts& parts, Detector& d) {
    auto const take = [&](char const* key) -> std::optional<std::string> {
        auto const node = parts.keys.extract(key);
        if (node.empty()) return {};
        return node.mapped();
    };
    using Shape = Detector::Shape;
    Lengths lengths{d};
    if (d.shape != Shape::rectangle)
        if (auto const text = take("center")) {
            SLUICE_TRY(d.center, point(*text));
        }
    auto const required = [&](char const* key) -> Result<std::string> {
        auto value = take(key);
        if (!value)
            return Error{Code::invalid_argument, fmt::format("{} needs {}=", parts.kind, key)};
        return *value;
    };
    if (parts.kind == "disk") {
        SLUICE_TRY(std::string const r, required("r"));
        SLUICE_CHECK(lengths.read(r, d.outer));
    } else if (parts.kind == "annulus") {
        SLUICE_TRY(std::string const r, required("r"));
        SLUICE_CHECK(lengths.read(r, d.inner, d.outer));
    } else if (!parts.radii.empty()) {
        SLUICE_CHECK(lengths.read(parts.radii, d.inner, d.outer));
        d.shape = d.inner > 0 ? Shape::annulus : Shape::disk;
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
        SLUICE_CHECK(lengths.read(half, d.outer));
    } else if (parts.kind == "rectangle") {
        SLUICE_TRY(std::string const rows, required("rows"));
        SLUICE_TRY(std::string const cols, required("cols"));
        SLUICE_CHECK(lengths.read(rows, d.from.row, d.to.row));
        SLUICE_CHECK(lengths.read(cols, d.from.col, d.to.col));
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
    if (Preset const* const preset = preset_of(parts->kind)) {
        d.shape = preset->inner > 0 ? Shape::annulus : Shape::disk;
        d.unit = Detector::Unit::disk_radii;
        d.inner = preset->inner, d.outer = preset->outer;
    } else {
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
