// Virtual images as results.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/image_output.h"

#include <fmt/format.h>

#include <map>

namespace sluice::cli {
namespace {

// Where a detector ends: in pixels of the full detector, and in mrad where the scan knows how many
// a pixel is.
Json limits_of(stem4d::Detector const& d, Scan const& scan, stem4d::Disk const& disk) {
    using Shape = stem4d::Detector::Shape;
    Json j{{"name", d.name}};
    double const step = scan.detector_step_mrad() / stem4d::pixel_grid(scan).bin;
    auto const add = [&](char const* name, std::array<double, 2> pixels, double zero) {
        j[std::string(name) + "_pixels"] = pixels;
        if (step > 0)
            j[std::string(name) + "_mrad"] = {(pixels[0] - zero) * step, (pixels[1] - zero) * step};
    };
    auto const in_pixels = stem4d::in_pixels(d, scan, disk);
    if (!in_pixels) return j;
    if (d.shape == Shape::disk || d.shape == Shape::annulus || d.shape == Shape::square)
        add("radii", {in_pixels->inner, in_pixels->outer}, 0);
    // Angles are from the direct beam.
    if (d.shape == Shape::rectangle && stem4d::needs_disk(d)) {
        add("rows", {in_pixels->from.row, in_pixels->to.row}, disk.center.row);
        add("cols", {in_pixels->from.col, in_pixels->to.col}, disk.center.col);
    }
    return j;
}

}  // namespace

Status check_file_names(std::span<std::string const> names) {
    std::map<std::string, std::string> taken;
    for (std::string const& name : names) {
        auto const [other, fresh] = taken.emplace(file_name_of(name), name);
        if (!fresh)
            return Error{
                Code::invalid_argument,
                fmt::format("detectors '{}' and '{}' would be saved under one name; name them "
                            "apart, as in a=disk:r=20",
                            other->second, name)};
    }
    return {};
}

Status ImageOutput::add(stem4d::VirtualImages const& result, Scan const& scan, index member,
                        std::span<ResultImage> images, Json& json) const {
    auto const shape = scan.scan_shape();
    auto const size = static_cast<std::size_t>(shape[0] * shape[1]);
    for (std::size_t d = 0; d < images.size(); ++d) {
        auto const* const first = result.values.values.data() + d * size;
        ScanMap map =
            make_map(result.names[d], mean ? "counts/pixel" : stem4d::sum_unit(scan),
                     {{shape[0], shape[1]}, {first, first + size}}, Missing::not_measured);
        map.counts = !mean && !result.corrected && scan.dtype() != DType::f32 &&
                     detectors[d].shape != stem4d::Detector::Shape::weights;
        images[d].style = style_of(scan, false, output);
        SLUICE_CHECK(stem4d::append_map(images[d].map, map, member));
    }
    json["valid_pixels"].push_back(result.valid_pixels);
    Json limits = Json::array();
    for (stem4d::Detector const& d : detectors)
        limits.push_back(limits_of(d, scan, result.disk.value_or(stem4d::Disk{})));
    json["detectors"].push_back(std::move(limits));
    return {};
}

}  // namespace sluice::cli
