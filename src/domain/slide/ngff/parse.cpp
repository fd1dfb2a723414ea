// Multiscales, omero and the metadata of arrays, from their JSON.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "domain/slide/ngff/folder.h"

namespace sluice::slide::ngff {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_levels = 100, most_dimensions = 32;

Error broken(std::string_view what, json::exception const& e) {
    return {Code::corrupt, fmt::format("{} ({}); write it again", what, e.what())};
}

std::string text_of(json const& j, char const* key) {
    return j.contains(key) && j[key].is_string() ? j[key].get<std::string>() : std::string();
}

std::optional<double> number_of(json const& j, char const* key) {
    if (!j.is_object() || !j.contains(key) || !j[key].is_number()) return {};
    return j[key].get<double>();
}

std::vector<index> sizes_of(json const& list) {
    std::vector<index> out;
    for (json const& j : list) {
        if (!j.is_number_integer()) throw json::other_error::create(500, "not a whole number", &j);
        out.push_back(j.get<index>());
    }
    return out;
}

// One scale and perhaps one translation, of a level or of all of them.
void transform(json const& owner, std::vector<double>& scale, std::vector<double>& translation) {
    if (!owner.contains("coordinateTransformations")) return;
    for (json const& t : owner["coordinateTransformations"]) {
        std::string const type = text_of(t, "type");
        if (type == "scale" && t.contains("scale")) scale = t["scale"].get<std::vector<double>>();
        if (type == "translation" && t.contains("translation"))
            translation = t["translation"].get<std::vector<double>>();
    }
}

// Axes are names only before version 0.4, and missing before 0.3.
std::vector<Axis> axes_of(json const& multiscale) {
    std::vector<Axis> out;
    if (!multiscale.contains("axes"))
        return {{"t", "", ""}, {"c", "", ""}, {"z", "", ""}, {"y", "", ""}, {"x", "", ""}};
    for (json const& a : multiscale["axes"])
        out.push_back(a.is_string() ? Axis{a, {}, {}}
                                    : Axis{a.at("name"), text_of(a, "type"), text_of(a, "unit")});
    return out;
}

std::vector<Channel> channels_of(json const& attributes) {
    std::vector<Channel> out;
    if (!attributes.contains("omero") || !attributes["omero"].contains("channels")) return out;
    for (json const& c : attributes["omero"]["channels"]) {
        json const window = c.value("window", json::object());
        out.push_back({text_of(c, "label"), text_of(c, "color"), number_of(window, "start"),
                       number_of(window, "end")});
    }
    return out;
}

// The transformation of all levels follows that of each level.
void add(std::vector<double>& own, std::vector<double> const& all, bool product) {
    if (own.empty())
        own = all;
    else if (own.size() == all.size())
        for (std::size_t i = 0; i < own.size(); ++i)
            own[i] = product ? own[i] * all[i] : own[i] + all[i];
}

Stored parse_v2(json const& j) {
    Stored s;
    s.zarr = 2;
    s.shape = sizes_of(j.at("shape"));
    s.chunk = sizes_of(j.at("chunks"));
    s.dtype = j.at("dtype").is_string() ? j["dtype"].get<std::string>() : j["dtype"].dump();
    json const& c = j.at("compressor");
    s.codec = c.is_object() ? text_of(c, "id") : "none";
    if (c.is_object() && c.contains("cname")) s.codec += " " + text_of(c, "cname");
    if (j.contains("filters") && j["filters"].is_array())
        for (json const& f : j["filters"]) s.codec += " after " + text_of(f, "id");
    return s;
}

std::string names_of(json const& codecs) {
    std::vector<std::string> names;
    for (json const& c : codecs) {
        std::string name = c.is_string() ? c.get<std::string>() : text_of(c, "name");
        if (name == "bytes") continue;
        if (c.is_object() && c.contains("configuration") &&
            !text_of(c["configuration"], "cname").empty())
            name += " " + text_of(c["configuration"], "cname");
        names.push_back(std::move(name));
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

Stored parse_v3(json const& j) {
    Stored s;
    s.zarr = 3;
    s.shape = sizes_of(j.at("shape"));
    s.dtype = j.at("data_type").is_string() ? j["data_type"].get<std::string>()
                                            : text_of(j["data_type"], "name");
    json const& grid = j.at("chunk_grid").at("configuration");
    s.chunk = sizes_of(grid.at("chunk_shape"));
    json const* codecs = &j.at("codecs");
    if (codecs->size() == 1 && text_of(codecs->front(), "name") == "sharding_indexed") {
        json const& c = codecs->front().at("configuration");
        s.shard = std::exchange(s.chunk, sizes_of(c.at("chunk_shape")));
        codecs = &c.at("codecs");
    }
    s.codec = names_of(*codecs);
    if (j.contains("dimension_names") && j["dimension_names"].is_array())
        for (json const& name : j["dimension_names"])
            s.names.push_back(name.is_string() ? name.get<std::string>() : std::string());
    return s;
}

}  // namespace

Result<Image> parse_image(std::string const& text) {
    try {
        json const attributes = json::parse(text);
        json const& multiscale = attributes.at("multiscales").at(0);
        Image image;
        image.name = text_of(multiscale, "name");
        std::string const own = text_of(multiscale, "version");
        std::string const version = own.empty() ? text_of(attributes, "version") : own;
        if (!multiscale.contains("axes") && !version.empty() && version != "0.1" &&
            version != "0.2")
            return Error{
                Code::unsupported,
                fmt::format("an image of version {} whose multiscales name no axes (before 0.3 "
                            "axes were optional); write it again as 0.4 or 0.5",
                            version)};
        image.axes = axes_of(multiscale);
        image.channels = channels_of(attributes);
        json const metadata = multiscale.value("metadata", json::object());
        if (metadata.is_object() && metadata.contains("filled_tiles"))
            image.tiles_filled = metadata["filled_tiles"].value("count", index{0});
        if (metadata.is_object() && metadata.contains("chunk_files"))
            image.files = metadata["chunk_files"].get<std::vector<index>>();
        std::vector<double> scale, translation;
        transform(multiscale, scale, translation);
        for (json const& d : multiscale.at("datasets")) {
            Level level;
            level.path = d.at("path");
            transform(d, level.scale, level.translation);
            add(level.scale, scale, true);
            add(level.translation, translation, false);
            image.levels.push_back(std::move(level));
        }
        if (image.levels.empty() || image.levels.size() > most_levels || image.axes.empty() ||
            image.axes.size() > most_dimensions)
            return Error{Code::corrupt,
                         fmt::format("an image of {} levels and {} axes; write it again",
                                     image.levels.size(), image.axes.size())};
        return image;
    } catch (json::exception const& e) {
        return broken("multiscales that break the rules of OME-Zarr", e);
    }
}

Result<Stored> parse_array(std::string const& text) {
    try {
        json const j = json::parse(text);
        Stored s = j.at("zarr_format") == 2 ? parse_v2(j) : parse_v3(j);
        bool good = s.shape.size() == s.chunk.size() && s.shape.size() <= most_dimensions &&
                    (s.shard.empty() || s.shard.size() == s.chunk.size());
        for (index const n : s.shape) good = good && n >= 0;
        for (index const n : s.chunk) good = good && n >= 1;
        for (index const n : s.shard) good = good && n >= 1;
        if (!good)
            return Error{Code::corrupt,
                         "shape and chunks of a Zarr array disagree; write it again"};
        return s;
    } catch (json::exception const& e) {
        return broken("metadata of a Zarr array", e);
    }
}

}  // namespace sluice::slide::ngff
