// Keys of a side-car: type, frame, scan, offset, and what format/described.h knows.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/side_car.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/parse.h"
#include "format/described.h"
#include "format/raw/geometry.h"
#include "format/raw/raw.h"
#include "format/scan_shape.h"

namespace sluice::raw {
namespace {

using json = nlohmann::ordered_json;
using config::Table;

constexpr index largest_side = 1 << 20;

// A list of numbers or texts is written alike in JSON and in TOML.
std::string toml_of(json const& j) {
    if (!j.is_object()) return j.dump();
    std::string text;
    for (auto const& [key, value] : j.items())
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, toml_of(value));
    return "{ " + text + " }";
}

json json_of(toml::value const& v) {
    if (v.is_boolean()) return v.as_boolean();
    if (v.is_integer() && v.as_integer() >= 0) return static_cast<std::uint64_t>(v.as_integer());
    if (v.is_integer()) return v.as_integer();
    if (v.is_floating()) return v.as_floating();
    if (v.is_string()) return v.as_string().str;
    json out;
    if (v.is_array()) {
        out = json::array();
        for (toml::value const& one : v.as_array()) out.push_back(json_of(one));
    } else if (v.is_table()) {
        out = json::object();
        for (auto const& [key, value] : v.as_table()) out[key] = json_of(value);
    }
    return out;
}

// [rows, columns]
Result<std::array<index, 2>> sides_of(Table& table, std::string const& key) {
    toml::value const* const v = table.find(key);
    auto const bad = [&] {
        return table.error(
            fmt::format("{} must be two whole numbers, as in {} = [192, 192]", key, key));
    };
    if (!v || !v->is_array() || v->as_array().size() != 2) return bad();
    std::array<index, 2> out{};
    for (std::size_t i = 0; i < 2; ++i) {
        toml::value const& side = v->as_array()[i];
        if (!side.is_integer() || side.as_integer() < 1 || side.as_integer() > largest_side)
            return bad();
        out[i] = side.as_integer();
    }
    return out;
}

/// What a side-car says.
struct Said {
    RawOptions raw = {};
    bool big_endian = false;
    std::array<index, 2> scan{};
    json about = json::object();
};

Result<std::string> text_at(Table& table, std::string const& key, std::string usual) {
    toml::value const* const v = table.find(key);
    if (!v) return usual;
    return table.text_of(key, *v);
}

Result<Said> said_by(std::string const& path) {
    SLUICE_TRY(std::string const text, config::read_text(path));
    SLUICE_TRY(toml::value const root, config::parse(text, path));
    if (!root.is_table()) return Error{Code::invalid_argument, "is no table of keys", path};
    Table table(path, root, "");
    for (char const* const key : {"dtype", "frame", "scan"}) SLUICE_CHECK(table.need(key));
    Said said;
    SLUICE_TRY(said.raw.raw_dtype, text_at(table, "dtype", ""));
    SLUICE_TRY(said.raw.raw_frame, sides_of(table, "frame"));
    SLUICE_TRY(said.scan, sides_of(table, "scan"));
    SLUICE_TRY(std::string const order, text_at(table, "byte_order", "little"));
    if (order != "little" && order != "big")
        return table.error(fmt::format("byte_order '{}' (must be little or big)", order));
    said.big_endian = order == "big";
    if (toml::value const* const v = table.find("offset")) {
        if (!v->is_integer() || v->as_integer() < 0)
            return table.error("offset must be a whole number of bytes");
        said.raw.raw_offset = static_cast<std::uint64_t>(v->as_integer());
    }
    if (toml::value const* const v = table.find("about")) said.about = json_of(*v);
    SLUICE_CHECK(table.nothing_else());
    return said;
}

}  // namespace

std::string side_car_of(std::string const& path) {
    return std::filesystem::path(path).replace_extension(".toml").string();
}

std::string side_car(Dataset const& d) {
    std::string text = fmt::format(
        "# What the raw values beside this file are, as Sluice reads them.\n"
        "dtype = \"{}\"\nbyte_order = \"little\"\nscan = [{}, {}]\nframe = [{}, {}]\noffset = 0\n\n"
        "[about]\n",
        name_of(d.dtype), d.scan[0], d.scan[1], d.rows, d.cols);
    json const about = json::parse(described(d));
    for (auto const& [key, value] : about.items())
        text += fmt::format("{} = {}\n", key, toml_of(value));
    return text;
}

Result<Dataset> open_described(std::string const& path, std::string const& car,
                               OpenOptions const& options) {
    SLUICE_TRY(Said const said, said_by(car));
    SLUICE_TRY(File file, File::open(path));
    SLUICE_TRY(Geometry g, find_geometry(file.size(), said.raw, options.allow_incomplete));
    g.layout.stored.big_endian = said.big_endian && g.layout.stored.bytes > 1;
    SLUICE_TRY(ScanShape scan, resolve_scan_shape({.present = g.layout.present,
                                                   .expected = said.scan[0] * said.scan[1],
                                                   .user = options.scan_shape,
                                                   .attribute = said.scan,
                                                   .attribute_from = "the file " + car,
                                                   .allow_incomplete = options.allow_incomplete}));
    Dataset d;
    d.path = path;
    d.format = "raw";
    d.files = {path, car};
    d.dtype = read_as(g.layout.stored);
    d.frames = scan.frames, d.missing = scan.missing;
    d.missing_runs = std::move(scan.missing_runs);
    d.rows = g.rows, d.cols = g.cols;
    d.scan = scan.grid;
    d.scan_from = scan.from;
    d.notes = std::move(scan.notes);
    d.warnings = std::move(scan.warnings);
    if (said.about.is_object()) take_description(said.about.dump(), d);
    d.source = std::make_shared<FlatSource>(std::move(file), g.layout);
    return d;
}

}  // namespace sluice::raw
