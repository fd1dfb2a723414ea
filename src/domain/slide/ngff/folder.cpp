// The folders of an OME-Zarr: which images there are, and the arrays of their levels.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "zarr/group.h"
#include "zarr/text.h"

namespace sluice::slide::ngff {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// Plates of 1536 wells with dozens of fields have fewer.
constexpr std::size_t most_images = 100000;

// Links that lead in a circle lead nowhere.
bool there(std::string const& path) {
    std::error_code error;
    return fs::exists(path, error);
}

bool is_array(std::string const& path) {
    if (there(path + "/.zarray")) return true;
    if (!there(path + "/zarr.json")) return false;
    auto const text = zarr::read_text(path + "/zarr.json");
    json const j = text ? json::parse(*text, nullptr, false) : json();
    return j.is_object() && j.value("node_type", json()) == "array";
}

// Metadata must not lead out of the folder.
bool inside(std::string const& path) {
    fs::path const p(path);
    return !path.empty() && p.is_relative() && std::find(p.begin(), p.end(), "..") == p.end();
}

Error leads_out(std::string const& path, std::string const& where) {
    return {Code::corrupt,
            fmt::format("names a path '{}' (it must lie within the folder) write it again", path),
            where};
}

// Version 0.5 has everything under "ome".
Result<json> attributes_of(std::string const& path) {
    SLUICE_TRY(std::string const text, zarr::read_attributes(path));
    json all = json::parse(text, nullptr, false);
    if (all.is_object() && all.contains("ome") && all["ome"].is_object()) return json(all["ome"]);
    return all;
}

// A group of version 2 without attributes has no file for them.
Result<json> attributes_or_none(std::string const& path) {
    auto attributes = attributes_of(path);
    if (!attributes && attributes.error().code == Code::not_found) return json::object();
    return attributes;
}

Result<Stored> stored_at(std::string const& path) {
    bool const three = there(path + "/zarr.json");
    std::string const file = path + (three ? "/zarr.json" : "/.zarray");
    SLUICE_TRY(std::string const text, zarr::read_text(file));
    auto stored = parse_array(text);
    if (!stored) stored.error().file = file;
    return stored;
}

Status fill_levels(Image& image, std::string const& path) {
    for (Level& level : image.levels) {
        if (!inside(level.path)) return leads_out(level.path, path);
        SLUICE_TRY(level.array, stored_at(path + "/" + level.path));
        if (level.array.shape.size() != image.axes.size())
            return Error{Code::corrupt,
                         fmt::format("level '{}' has {} dimensions, and the image {} axes; write "
                                     "it again",
                                     level.path, level.array.shape.size(), image.axes.size()),
                         path};
    }
    return {};
}

Result<Image> image_at(std::string const& folder, std::string const& path) {
    if (!path.empty() && !inside(path)) return leads_out(path, folder);
    std::string const whole = path.empty() ? folder : folder + "/" + path;
    SLUICE_TRY(json const attributes, attributes_of(whole));
    auto image = parse_image(attributes.dump());
    if (!image) {
        image.error().file = whole;
        return image;
    }
    image->path = path;
    SLUICE_CHECK(fill_levels(*image, whole));
    return image;
}

Error too_many(std::string const& path) {
    return {Code::unsupported,
            fmt::format("has more than {} images; give the group of one image", most_images), path};
}

std::string version_of(json const& attributes) {
    for (json const* j :
         {&attributes,
          attributes.contains("multiscales") && attributes["multiscales"].is_array() &&
                  !attributes["multiscales"].empty()
              ? &attributes["multiscales"][0]
              : &attributes,
          attributes.contains("plate") ? &attributes["plate"] : &attributes})
        if (j->is_object() && j->contains("version") && (*j)["version"].is_string())
            return (*j)["version"];
    return {};
}

Result<std::vector<std::string>> wells_of(std::string const& path, json const& plate) {
    std::vector<std::string> out;
    for (json const& well : plate.at("wells")) {
        std::string const where = well.at("path");
        if (!inside(where)) return leads_out(where, path);
        SLUICE_TRY(json const attributes, attributes_of(path + "/" + where));
        for (json const& image : attributes.at("well").at("images")) {
            if (out.size() >= most_images) return too_many(path);
            out.push_back(where + "/" + image.at("path").get<std::string>());
        }
    }
    return out;
}

// The series that OME/ lists, or the groups 0, 1, ... there are.
Result<std::vector<std::string>> series_of(std::string const& path) {
    std::vector<std::string> out;
    if (zarr::is_node(path + "/OME")) {
        SLUICE_TRY(json const ome, attributes_or_none(path + "/OME"));
        if (ome.is_object() && ome.contains("series"))
            return ome["series"].get<std::vector<std::string>>();
    }
    while (out.size() < most_images && zarr::is_node(fmt::format("{}/{}", path, out.size())))
        out.push_back(std::to_string(out.size()));
    return out;
}

Result<std::vector<std::string>> images_of(Folder& folder, json const& attributes) {
    if (attributes.is_object() && attributes.contains("plate")) {
        folder.layout = FolderLayout::plate;
        return wells_of(folder.path, attributes["plate"]);
    }
    if (attributes.is_object() && attributes.contains("multiscales"))
        return std::vector{std::string()};
    if (attributes.is_object() && attributes.contains("bioformats2raw.layout")) {
        folder.layout = FolderLayout::series;
        return series_of(folder.path);
    }
    return Error{Code::unsupported,
                 "is a Zarr group without an image (it has neither multiscales nor a plate "
                 "nor bioformats2raw.layout) give the folder of an image or of an array",
                 folder.path};
}

Result<Folder> open_group(Folder folder) {
    SLUICE_TRY(json const attributes, attributes_or_none(folder.path));
    SLUICE_TRY(auto const paths, images_of(folder, attributes));
    if (paths.size() > most_images) return too_many(folder.path);
    folder.version = version_of(attributes);
    for (std::string const& path : paths) {
        SLUICE_TRY(Image image, image_at(folder.path, path));
        if (folder.version.empty()) {
            SLUICE_TRY(json const own, attributes_of(folder.path + "/" + path));
            folder.version = version_of(own);
        }
        folder.images.push_back(std::move(image));
    }
    if (folder.images.empty())
        return Error{Code::corrupt, "has no images; write it again", folder.path};
    return folder;
}

}  // namespace

Result<Folder> open(std::string const& path) {
    Folder folder;
    folder.path = path;
    while (folder.path.size() > 1 && folder.path.back() == '/') folder.path.pop_back();
    try {
        if (!is_array(folder.path)) return open_group(std::move(folder));
        folder.layout = FolderLayout::array;
        SLUICE_TRY(Stored array, stored_at(folder.path));
        Image image;
        image.levels.push_back(
            {.path = {}, .array = std::move(array), .scale = {}, .translation = {}});
        folder.images.push_back(std::move(image));
        return folder;
    } catch (json::exception const& e) {
        return Error{Code::corrupt,
                     fmt::format("has metadata that break the rules of OME-Zarr ({}); write it "
                                 "again",
                                 e.what()),
                     path};
    }
}

}  // namespace sluice::slide::ngff
