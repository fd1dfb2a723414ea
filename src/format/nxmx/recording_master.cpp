// The metadata of a recording, in the places where the reader of masters looks for them.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/recording_master.h"

#include <algorithm>
#include <charconv>

#include "base/version.h"
#include "format/nxmx/detector.h"
#include "format/nxmx/writer_master.h"

namespace sluice::nxmx {
namespace {

std::string const detector = "/entry/instrument/detector/";
std::string const specific = detector + "detectorSpecific/";
std::string const group = recording_group;

std::optional<double> number_in(std::string const& text) {
    double value = 0;
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || e != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

// Names of links have no slashes.
std::string link_name(std::string name) {
    std::ranges::replace(name, '/', ' ');
    return name.empty() || name.starts_with('.') ? "_" + name : name;
}

// Fields that masters have no place for stand with the recording.
void write_metadata(H5Writer& h5, std::vector<MetaField> const& fields) {
    h5.group(group + "/metadata", "NXcollection");
    for (MetaField const& field : fields) {
        auto const place = place_of(field.name);
        std::string const path = place ? place->path : group + "/metadata/" + link_name(field.name);
        if (H5Lexists(h5.id(), path.c_str(), H5P_DEFAULT) != 0) continue;
        auto const number = place && !place->base.empty() && place->unit == field.unit
                                ? number_in(field.value)
                                : std::nullopt;
        if (number) {
            h5.number(path, *number / place->scale, place->base);
            continue;
        }
        h5.text(path, field.value);
        if (!field.unit.empty()) h5.attribute(path, "units", field.unit);
    }
}

void write_calibration(H5Writer& h5, Dataset const& d) {
    if (d.saturation)
        h5.number(detector + "saturation_value", static_cast<std::int64_t>(*d.saturation));
    if (d.dwell_s > 0) h5.number(detector + "frame_time", d.dwell_s, "s");
    if (d.detector_pixel_um > 0)
        for (char const* name : {"x_pixel_size", "y_pixel_size"})
            h5.number(detector + name, d.detector_pixel_um * 1e-6, "m");
    if (d.energy_kv <= 0) return;
    h5.number(specific + "photon_energy", d.energy_kv * 1e3, "eV");
    h5.number("/entry/instrument/beam/incident_energy", d.energy_kv * 1e3, "eV");
}

void write_detector(H5Writer& h5, RecordedSeries const& s) {
    Dataset const& d = s.like;
    h5.group(detector + "detectorSpecific", "NXcollection");
    h5.number<std::uint16_t>(detector + "bit_depth_image",
                             static_cast<std::uint16_t>(8 * size_of(d.dtype)));
    h5.number<std::int8_t>(detector + "pixel_mask_applied", d.sentinel ? 1 : 0);
    h5.number(specific + "ntrigger", static_cast<std::uint64_t>(s.images));
    h5.number<std::uint64_t>(specific + "nimages", 1);
    h5.text(specific + "trigger_mode", "exts");
    h5.number(specific + "x_pixels_in_detector", static_cast<std::uint64_t>(d.cols));
    h5.number(specific + "y_pixels_in_detector", static_cast<std::uint64_t>(d.rows));
    if (!d.pixel_mask.empty())
        h5.array<std::uint32_t>(specific + "pixel_mask",
                                {static_cast<hsize_t>(d.rows), static_cast<hsize_t>(d.cols)},
                                d.pixel_mask);
    write_calibration(h5, d);
}

void write_path(H5Writer& h5, RecordedSeries const& s) {
    h5.number(group + "/scan_rows", static_cast<std::uint64_t>(s.scan[0]));
    h5.number(group + "/scan_columns", static_cast<std::uint64_t>(s.scan[1]));
    h5.text(group + "/path", s.path);
    if (s.frame_of.empty()) return;
    std::vector<std::int32_t> places;
    for (index const frame : s.frame_of) {
        places.push_back(frame < 0 ? -1 : static_cast<std::int32_t>(frame / s.scan[1]));
        places.push_back(frame < 0 ? -1 : static_cast<std::int32_t>(frame % s.scan[1]));
    }
    h5.array<std::int32_t>(group + "/positions", {s.frame_of.size(), 2}, places);
}

}  // namespace

void write_recording_master(H5Writer& h5, RecordedSeries const& s) {
    write_root(h5);
    h5.attribute("/entry/data", "signal", std::string("data_000001"));
    write_detector(h5, s);
    h5.group(group, "NXcollection");
    h5.text(group + "/program", "sluice " + std::string(version));
    h5.text(group + "/source", s.like.path);
    h5.text(group + "/protocol", s.like.format);
    if (s.images > 0) h5.number(group + "/images_announced", static_cast<std::uint64_t>(s.images));
    write_path(h5, s);
    write_metadata(h5, s.like.metadata);
    if (!s.description.empty())
        h5.array<std::uint8_t>(
            group + "/description", {s.description.size()},
            {reinterpret_cast<std::uint8_t const*>(s.description.data()), s.description.size()});
}

}  // namespace sluice::nxmx
