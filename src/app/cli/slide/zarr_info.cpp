// The images of an OME-Zarr folder: shape, axes, levels, channels and scaling.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/zarr_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "domain/slide/ngff/folder.h"

namespace sluice::cli {
namespace {

namespace ngff = slide::ngff;

std::string_view name_of(ngff::FolderLayout layout) {
    constexpr std::string_view names[] = {"image", "series", "plate", "array"};
    return names[static_cast<std::size_t>(layout)];
}

Json json_of(ngff::Level const& l) {
    Json j{{"path", l.path},
           {"shape", l.array.shape},
           {"chunk", l.array.chunk},
           {"dtype", l.array.dtype},
           {"codec", l.array.codec}};
    if (!l.array.shard.empty()) j["shard"] = l.array.shard;
    if (!l.scale.empty()) j["scale"] = l.scale;
    if (!l.translation.empty()) j["translation"] = l.translation;
    return j;
}

Json json_of(ngff::Image const& image) {
    Json j{{"path", image.path}, {"name", image.name}};
    j["axes"] = Json::array();
    for (ngff::Axis const& a : image.axes)
        j["axes"].push_back({{"name", a.name}, {"type", a.type}, {"unit", a.unit}});
    j["levels"] = Json::array();
    for (ngff::Level const& l : image.levels) j["levels"].push_back(json_of(l));
    j["channels"] = Json::array();
    for (ngff::Channel const& c : image.channels) {
        Json channel{{"name", c.name}, {"color", c.color}};
        if (c.start && c.end) channel["window"] = {*c.start, *c.end};
        j["channels"].push_back(std::move(channel));
    }
    j["tiles_filled"] = image.tiles_filled;
    return j;
}

std::string product(std::vector<index> const& sizes) {
    return fmt::format("{}", fmt::join(sizes, " x "));
}

std::string axes_of(ngff::Image const& image) {
    std::vector<std::string> names;
    for (ngff::Axis const& a : image.axes) names.push_back(a.name);
    return names.empty() ? std::string() : fmt::format(" ({})", fmt::join(names, " "));
}

void print_scale(ngff::Image const& image, ngff::Level const& first) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(image.axes.size(), first.scale.size()); ++i) {
        ngff::Axis const& a = image.axes[i];
        if (a.unit.empty()) continue;
        parts.push_back(fmt::format("{} {:g} {}", a.name, first.scale[i], a.unit));
    }
    print_line("scale", parts.empty() ? "not told" : fmt::format("{}", fmt::join(parts, ", ")));
}

void print(ngff::Image const& image) {
    ngff::Level const& first = image.levels.front();
    print_line(image.path.empty() ? "image" : "image " + image.path,
               fmt::format("{} {}{}{}", product(first.array.shape), first.array.dtype,
                           axes_of(image), image.name.empty() ? "" : ": " + image.name));
    if (!image.axes.empty()) print_scale(image, first);
    std::vector<std::string> sizes;
    for (ngff::Level const& l : image.levels) {
        auto const& s = l.array.shape;
        sizes.push_back(s.size() < 2 ? product(s)
                                     : fmt::format("{} x {}", s[s.size() - 1], s[s.size() - 2]));
    }
    if (!image.axes.empty())
        print_line("levels",
                   fmt::format("{}: {} (width x height)", sizes.size(), fmt::join(sizes, ", ")));
    print_line("chunks",
               fmt::format("{}{}, {}", product(first.array.chunk),
                           first.array.shard.empty()
                               ? std::string()
                               : fmt::format(" in shards of {}", product(first.array.shard)),
                           first.array.codec));
    for (ngff::Channel const& c : image.channels)
        print_line("channel",
                   fmt::format("{}{}{}", c.name, c.color.empty() ? "" : " #" + c.color,
                               c.start && c.end
                                   ? fmt::format(", shown from {:g} to {:g}", *c.start, *c.end)
                                   : std::string()));
    if (image.tiles_filled > 0)
        print_line("note", fmt::format("{} of the slide could not be read and {} filled",
                                       plural(image.tiles_filled, "tile"),
                                       image.tiles_filled == 1 ? "is" : "are"));
}

}  // namespace

Status zarr_info(std::string const& path, Json* json) {
    SLUICE_TRY(ngff::Folder const folder, ngff::open(path));
    int const zarr = folder.images.front().levels.front().array.zarr;
    if (json) {
        *json = Json{{"path", folder.path},
                     {"format", "ome-zarr"},
                     {"version", folder.version},
                     {"zarr", zarr},
                     {"layout", name_of(folder.layout)}};
        (*json)["images"] = Json::array();
        for (ngff::Image const& image : folder.images) (*json)["images"].push_back(json_of(image));
        return {};
    }
    say("{}\n", folder.path);
    if (folder.layout == ngff::FolderLayout::array)
        print_line("format", fmt::format("Zarr {}, an array without metadata of OME", zarr));
    else
        print_line("format",
                   fmt::format("OME-Zarr {} in Zarr {}, {} of {}", folder.version, zarr,
                               name_of(folder.layout), plural(folder.images.size(), "image")));
    for (ngff::Image const& image : folder.images) print(image);
    return {};
}

}  // namespace sluice::cli
