// The metadata trees, as in files of ARINA detectors of 2025 and DECTRIS' "v2024.2" description.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer_master.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace sluice::nxmx {
namespace {

constexpr double pixel_size_m = 1e-4, readout_s = 1e-7;
std::string const detector = "/entry/instrument/detector/";

std::string file_name(std::string const& path) {
    return std::filesystem::path(path).filename().string();
}

std::vector<std::uint32_t> mask_or_none(Acquisition const& a) {
    if (!a.pixel_mask.empty()) return a.pixel_mask;
    return std::vector<std::uint32_t>(static_cast<std::size_t>(a.rows * a.cols));
}

template <class T>
void image(H5Writer& h5, Acquisition const& a, std::string const& path, std::vector<T> const& v) {
    h5.array<T>(path, {static_cast<hsize_t>(a.rows), static_cast<hsize_t>(a.cols)}, v);
}

void write_sample(H5Writer& h5, Acquisition const& a) {
    h5.group("/entry/sample", "NXsample");
    h5.group("/entry/sample/goniometer", "NXtransformations");
    h5.number("/entry/sample/goniometer/alpha", a.tilt_degrees, "degree");
    h5.group("/entry/sample/transformations", "NXtransformations");
}

/// What both layouts say of the detector.
void write_detector(H5Writer& h5, Acquisition const& a) {
    h5.text(detector + "description", a.description);
    h5.text(detector + "type", "HPC");
    h5.number<std::uint16_t>(detector + "bit_depth_image",
                             static_cast<std::uint16_t>(8 * size_of(a.dtype)));
    h5.number<std::uint16_t>(detector + "bit_depth_readout", 8);
    h5.number(detector + "count_time", a.dwell_s - readout_s, "s");
    h5.number(detector + "frame_time", a.dwell_s, "s");
    h5.number(detector + "detector_readout_time", readout_s, "s");
    h5.number<std::int8_t>(detector + "pixel_mask_applied", 1);
    h5.number<std::int8_t>(detector + "countrate_correction_applied", 1);
    h5.number(detector + "saturation_value", static_cast<std::int64_t>(a.saturation));
    h5.text(detector + "sensor_material", "Si");
    h5.number(detector + "sensor_thickness", 4.5e-4, "m");
    h5.number(detector + "x_pixel_size", pixel_size_m, "m");
    h5.number(detector + "y_pixel_size", pixel_size_m, "m");
    h5.number(detector + "beam_center_x", 0.0, "pixel");
    h5.number(detector + "beam_center_y", 0.0, "pixel");
}

void write_legacy_detector(H5Writer& h5, Acquisition const& a) {
    h5.text(detector + "detector_number", "S000001");
    h5.number<std::int8_t>(detector + "flatfield_correction_applied", 0);
    h5.number<std::int8_t>(detector + "virtual_pixel_correction_applied", 1);
    h5.number(detector + "threshold_energy", 17500.0, "eV");
    h5.number(detector + "detector_distance", 0.0, "m");
    h5.check(H5Lcreate_soft((detector + "detector_distance").c_str(), h5.id(),
                            (detector + "distance").c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0);
    std::string const s = detector + "detectorSpecific/";
    h5.group(detector + "detectorSpecific", "NXcollection");
    h5.number(s + "ntrigger", static_cast<std::uint64_t>(a.frames()));
    h5.number<std::uint64_t>(s + "nimages", 1);
    h5.text(s + "trigger_mode", "exts");
    h5.number(s + "x_pixels_in_detector", static_cast<std::uint64_t>(a.cols));
    h5.number(s + "y_pixels_in_detector", static_cast<std::uint64_t>(a.rows));
    h5.text(s + "roi_mode", "");
    h5.text(s + "compression", a.compression == Compression::lz4 ? "lz4" : "bslz4");
    h5.number(s + "photon_energy", a.high_tension_v, "eV");
    h5.number<std::int8_t>(s + "auto_summation", 1);
    h5.number(s + "frame_count_time", a.dwell_s / 2, "s");
    h5.number(s + "frame_period", a.dwell_s / 2, "s");
    auto const mask = mask_or_none(a);
    image(h5, a, s + "pixel_mask", mask);
    image(h5, a, s + "flatfield", std::vector<float>(mask.size(), 1.0f));
    h5.number(s + "countrate_correction_count_cutoff", static_cast<std::uint32_t>(a.saturation));
    auto const excluded = std::ranges::count_if(mask, [](std::uint32_t m) { return m != 0; });
    h5.number(s + "number_of_excluded_pixels", static_cast<std::uint32_t>(excluded));
    h5.text(s + "data_collection_date", a.date);
    h5.text(s + "software_version", "1.8.0");
    h5.text(s + "eiger_fw_version", "release-2025.1");
}

void write_links(H5Writer& h5, std::vector<DataPlan> const& data) {
    h5.attribute("/entry/data", "signal", std::string("data_000001"));
    for (std::size_t i = 0; i < data.size(); ++i) write_link(h5, i + 1, data[i].path);
}

void write_channels(H5Writer& h5, Acquisition const& a) {
    auto const mask = mask_or_none(a);
    double threshold = 17500;
    for (std::string const& name : a.channels) {
        std::string const group = detector + name + "_channel";
        h5.group(group, "NXdetector_channel");
        h5.number(group + "/threshold_energy", threshold, "eV");
        image(h5, a, group + "/pixel_mask", mask);
        image(h5, a, group + "/flatfield", std::vector<float>(mask.size(), 1.0f));
        threshold *= 2;
    }
}

/// Fixed-length texts, padded to the longest.
void write_channel_names(H5Writer& h5, Acquisition const& a) {
    std::size_t longest = 0;
    for (std::string const& name : a.channels) longest = std::max(longest, name.size() + 1);
    std::string all;
    for (std::string const& name : a.channels)
        all += name + std::string(longest - name.size(), '\0');
    Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), longest);
    hsize_t const n = a.channels.size();
    Handle const space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    Handle const set(H5Dcreate2(h5.id(), "/entry/data/channel", type.id(), space.id(), H5P_DEFAULT,
                                untimed(H5P_DATASET_CREATE).id(), H5P_DEFAULT),
                     H5Dclose);
    h5.check(set && H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) >= 0);
}

void write_virtual_dataset(H5Writer& h5, Acquisition const& a, std::vector<DataPlan> const& data) {
    auto const channels = static_cast<index>(a.channels.size());
    std::array<hsize_t, 4> extent{static_cast<hsize_t>(a.frames()), static_cast<hsize_t>(channels),
                                  static_cast<hsize_t>(a.rows), static_cast<hsize_t>(a.cols)};
    Handle const creation = untimed(H5P_DATASET_CREATE);
    Handle const space(H5Screate_simple(4, extent.data(), nullptr), H5Sclose);
    std::uint64_t const ones = ~std::uint64_t{0};
    H5Pset_fill_value(creation.id(), h5_type(a.dtype), &ones);
    for (DataPlan const& d : data) {
        std::array<hsize_t, 4> const from{static_cast<hsize_t>(d.first_image / channels), 0, 0, 0};
        std::array<hsize_t, 4> part = extent;
        part[0] = static_cast<hsize_t>(d.images / channels);
        Handle const source(H5Screate_simple(4, part.data(), nullptr), H5Sclose);
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, part.data(), nullptr);
        h5.check(H5Pset_virtual(creation.id(), space.id(), file_name(d.path).c_str(),
                                "/entry/data/data", source.id()) >= 0);
    }
    H5Sselect_all(space.id());
    Handle const set(H5Dcreate2(h5.id(), "/entry/data/data", h5_type(a.dtype), space.id(),
                                H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                     H5Dclose);
    h5.check(static_cast<bool>(set));
}

void write_v2024(H5Writer& h5, Acquisition const& a, std::vector<DataPlan> const& data) {
    h5.attribute("/entry/data", "signal", std::string("data"));
    write_virtual_dataset(h5, a, data);
    write_channel_names(h5, a);
    auto const n = static_cast<std::size_t>(a.frames());
    std::vector<std::uint64_t> ids(n);
    std::vector<double> times(n);
    for (std::size_t i = 0; i < n; ++i) {
        ids[i] = i + 1;
        times[i] = static_cast<double>(i) * a.dwell_s;
    }
    h5.array<std::uint64_t>("/entry/data/image_id", {n}, ids);
    h5.array<double>(detector + "start_time", {n}, times);
    h5.text(detector + "serial_number", "S000001");
    h5.number<std::int8_t>(detector + "flatfield_applied", 0);
    h5.number<std::uint64_t>(detector + "number_of_cycles", 2);
    write_channels(h5, a);
    h5.text("/entry/start_time", a.date);
    h5.number("/entry/instrument/beam/incident_energy", a.high_tension_v, "eV");
}

}  // namespace

void write_root(H5Writer& h5) {
    h5.attribute("/", "default", std::string("entry"));
    h5.group("/entry", "NXentry");
    h5.attribute("/entry", "default", std::string("data"));
    h5.text("/entry/definition", "NXmx");
    h5.attribute("/entry/definition", "version", std::string("1.4"));
    h5.group("/entry/data", "NXdata");
    h5.group("/entry/instrument", "NXinstrument");
    h5.group("/entry/instrument/beam", "NXbeam");
    h5.group("/entry/instrument/detector", "NXdetector");
}

void write_link(H5Writer& h5, std::size_t number, std::string const& file) {
    std::string const link = fmt::format("/entry/data/data_{:06}", number);
    h5.check(H5Lcreate_external(file_name(file).c_str(), "/entry/data/data", h5.id(), link.c_str(),
                                H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

void write_master(H5Writer& h5, Acquisition const& a, std::vector<DataPlan> const& data) {
    write_root(h5);
    write_sample(h5, a);
    write_detector(h5, a);
    if (a.layout == Layout::v2024) return write_v2024(h5, a, data);
    write_legacy_detector(h5, a);
    write_links(h5, data);
}

void write_companion(H5Writer& h5, Acquisition const& a) {
    std::string const g = "/STEM Metadata";
    h5.group(g);
    h5.attribute(g, "NumPixelsX", std::int64_t{a.scan[1]});
    h5.attribute(g, "NumPixelsY", std::int64_t{a.scan[0]});
    h5.attribute(g, "NumPixelsPrescan", std::uint32_t{0});
    h5.attribute(g, "Pixel Size", a.scan_step_nm);
    h5.attribute(g, "IsPixelSizeCalibrated", std::uint8_t{1});
    h5.attribute(g, "High Tension", a.high_tension_v);
    h5.attribute(g, "Camera Length", a.camera_length_m);
    h5.attribute(g, "ScanDwellTime", a.dwell_s);
    h5.attribute(g, "Rotation", 0.0);
}

}  // namespace sluice::nxmx
