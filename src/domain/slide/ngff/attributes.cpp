// Multiscales, omero, plate and well.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/attributes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace sluice::slide::ome {
namespace {

using json = nlohmann::ordered_json;

// 0.5 has one key with everything in it, 0.4 a version in each.
std::string wrapped(Plan const& plan, json const& attributes) {
    if (plan.zarr == 2) return attributes.dump(-1, ' ', false, json::error_handler_t::replace);
    json ome{{"version", "0.5"}};
    ome.update(attributes);
    return json{{"ome", ome}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

double or_one(double v) {
    return v > 0 ? v : 1;
}

json axes(Metadata const& m) {
    json const t{{"name", "t"}, {"type", "time"}}, c{{"name", "c"}, {"type", "channel"}};
    json list = json::array({t, c});
    if (m.t_s > 0) list[0]["unit"] = "second";
    for (auto const& [name, um] : {std::pair("z", m.z_um), {"y", m.y_um}, {"x", m.x_um}}) {
        json axis{{"name", name}, {"type", "space"}};
        if (um > 0) axis["unit"] = "micrometer";
        list.push_back(std::move(axis));
    }
    return list;
}

json datasets(Plan const& plan, ImagePlan const& image) {
    Metadata const& m = plan.metadata;
    bool const placed = plan.images.size() > 1;
    json list = json::array();
    for (std::size_t l = 0; l < image.levels.size(); ++l) {
        auto const factor = static_cast<double>(index{1} << l);
        double const y = or_one(m.y_um), x = or_one(m.x_um);
        json transformations = json::array(
            {{{"type", "scale"},
              {"scale", {or_one(m.t_s), 1.0, or_one(m.z_um), y * factor, x * factor}}}});
        // The middle of a mean's first pixel is not that of the first pixel it was made of.
        double const shift = (factor - 1) / 2;
        double const left = placed ? static_cast<double>(image.rect.x) : 0;
        double const top = placed ? static_cast<double>(image.rect.y) : 0;
        if (placed || image.levels.size() > 1)
            transformations.push_back(
                {{"type", "translation"},
                 {"translation", {0.0, 0.0, 0.0, (top + shift) * y, (left + shift) * x}}});
        list.push_back(
            {{"path", std::to_string(l)}, {"coordinateTransformations", transformations}});
    }
    return list;
}

// The values that a type holds, where that is a window that a person can use.
Range range_of(DType type) {
    if (type == DType::u8) return {0, 255};
    if (type == DType::u16) return {0, 65535};
    return {};
}

json window(Plan const& plan, ComponentPlan const& c, Range const& seen) {
    Range const type = range_of(plan.dtype);
    Range all = type.low < type.high ? type : seen;
    if (all.low > all.high) all = {0, 1};
    Range shown = plan.samples > 1 ? all : seen;
    if (c.high > c.low && plan.samples == 1 && type.low < type.high)
        shown = {c.low * type.high, c.high * type.high};
    if (shown.low > shown.high) shown = all;
    if (shown.low == shown.high) shown.high = shown.low + 1;
    all.high = std::max(all.high, shown.high);
    return {{"min", all.low}, {"max", all.high}, {"start", shown.low}, {"end", shown.high}};
}

json omero(Plan const& plan, ImagePlan const& image, std::span<Range const> ranges) {
    json channels = json::array();
    for (std::size_t i = 0; i < image.components.size(); ++i) {
        ComponentPlan const& c = image.components[i];
        channels.push_back({{"active", c.sample < 3},
                            {"coefficient", 1},
                            {"color", c.color},
                            {"family", "linear"},
                            {"inverted", false},
                            {"label", c.name},
                            {"window", window(plan, c, ranges[i])}});
    }
    json out{{"channels", channels},
             {"rdefs",
              {{"defaultT", 0},
               {"defaultZ", image.z / 2},
               {"model", image.components.size() > 1 ? "color" : "greyscale"}}}};
    if (plan.zarr == 2) out["version"] = "0.4";
    return out;
}

// Names in use, numbers by their value.
std::vector<std::string> names(Plan const& plan, std::string WellPlan::*name) {
    std::set<std::string> seen;
    for (ImagePlan const& image : plan.images) seen.insert((*image.well).*name);
    std::vector<std::string> out(seen.begin(), seen.end());
    std::stable_sort(out.begin(), out.end(),
                     [](auto const& a, auto const& b) { return a.size() < b.size(); });
    return out;
}

json named(std::vector<std::string> const& names) {
    json out = json::array();
    for (std::string const& n : names) out.push_back({{"name", n}});
    return out;
}

json plate(Plan const& plan) {
    auto const rows = names(plan, &WellPlan::row), columns = names(plan, &WellPlan::column);
    json wells = json::array();
    int fields = 0;
    for (ImagePlan const& image : plan.images) {
        WellPlan const& w = *image.well;
        fields = std::max(fields, w.field + 1);
        if (w.field > 0) continue;
        wells.push_back({{"path", w.row + "/" + w.column},
                         {"rowIndex", std::find(rows.begin(), rows.end(), w.row) - rows.begin()},
                         {"columnIndex",
                          std::find(columns.begin(), columns.end(), w.column) - columns.begin()}});
    }
    json out{{"columns", named(columns)},
             {"rows", named(rows)},
             {"wells", wells},
             {"field_count", fields},
             {"name", plan.metadata.title.empty() ? "plate" : plan.metadata.title},
             {"acquisitions", {{{"id", 0}, {"name", "0"}, {"maximumfieldcount", fields}}}}};
    if (plan.zarr == 2) out["version"] = "0.4";
    return out;
}

// The output itself must state which pixels do not come from the slide.
json filled(Seen const& seen) {
    constexpr std::size_t most_named = 1000;
    json tiles = json::array();
    for (auto const& [tile, reason] : seen.filled)
        if (tiles.size() < most_named) tiles.push_back({{"tile", tile}, {"reason", reason}});
    return {{"count", seen.filled.size()}, {"value", seen.fill_bad}, {"tiles", std::move(tiles)}};
}

}  // namespace

std::string image_attributes(Plan const& plan, ImagePlan const& image, Seen const& seen) {
    json multiscale{{"name", image.name}};
    if (plan.zarr == 2) multiscale["version"] = "0.4";
    multiscale["axes"] = axes(plan.metadata);
    multiscale["datasets"] = datasets(plan, image);
    multiscale["type"] = "mean";
    multiscale["metadata"] = {{"description", "mean of 2 x 2 pixels, halves rounded up"},
                              {"method", "sluice slide convert"}};
    for (auto const& [name, value] : plan.provenance.fields) multiscale["metadata"][name] = value;
    if (!seen.filled.empty()) multiscale["metadata"]["filled_tiles"] = filled(seen);
    // Few files of a huge array are the mark of damaged metadata, unless it says how many.
    if (image.sparse) multiscale["metadata"]["chunk_files"] = seen.files;
    return wrapped(plan, {{"multiscales", json::array({multiscale})},
                          {"omero", omero(plan, image, seen.ranges)}});
}

std::string root_attributes(Plan const& plan) {
    json out{{"bioformats2raw.layout", 3}};
    if (plan.layout == ImageLayout::plate) out["plate"] = plate(plan);
    return wrapped(plan, out);
}

std::string ome_attributes(Plan const& plan) {
    json series = json::array();
    for (ImagePlan const& image : plan.images) series.push_back(image.group);
    return wrapped(plan, {{"series", series}});
}

std::string well_attributes(Plan const& plan, WellPlan const& well) {
    json images = json::array();
    for (ImagePlan const& image : plan.images)
        if (image.well->row == well.row && image.well->column == well.column)
            images.push_back({{"path", std::to_string(image.well->field)}, {"acquisition", 0}});
    json out{{"images", images}};
    if (plan.zarr == 2) out["version"] = "0.4";
    return wrapped(plan, {{"well", out}});
}

}  // namespace sluice::slide::ome
