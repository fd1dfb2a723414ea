// Detector metadata of both NXmx formats, from one table.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/detector.h"

#include <fmt/format.h>

#include <limits>

#include "format/calibration.h"
#include "format/hdf5/stored_dataset.h"
#include "format/nxmx/units.h"

namespace sluice::nxmx {
namespace {

using namespace hdf5;

std::string at_detector(std::string const& name) {
    return "/entry/instrument/detector/" + name;
}

/// Both formats: the first path that exists counts; "@" stands for the channel's group. Relative
/// to the detector.
struct Row {
    char const* name;
    std::vector<char const*> paths;
    double scale = 1;  ///< from the base
    char const* unit = "";
    char const* base = "";  ///< what numbers are in where the file does not say: m, s or eV
};

std::vector<Row> const& rows() {
    static std::vector<Row> const table = {
        {"detector", {"description"}},
        {"detector number", {"detector_number", "serial_number"}},
        {"detector type", {"type"}},
        {"software version", {"detectorSpecific/software_version", "software_version"}},
        {"firmware version", {"detectorSpecific/eiger_fw_version", "firmware_version"}},
        {"date", {"detectorSpecific/data_collection_date", "/entry/start_time"}},
        {"sensor material", {"sensor_material"}},
        {"sensor thickness", {"sensor_thickness"}, 1e6, "um", "m"},
        {"count time", {"count_time"}, 1e6, "us", "s"},
        {"readout time", {"detector_readout_time"}, 1e6, "us", "s"},
        {"threshold energy", {"@threshold_energy", "threshold_energy"}, 1e-3, "keV", "eV"},
        {"saturation value", {"saturation_value"}, 1, "counts"},
        {"image bits", {"bit_depth_image"}},
        {"readout bits", {"bit_depth_readout"}},
        {"trigger mode", {"detectorSpecific/trigger_mode", "trigger_mode"}},
        {"triggers", {"detectorSpecific/ntrigger", "ntrigger"}},
        {"images per trigger", {"detectorSpecific/nimages", "nimages"}},
        {"sub-frames summed", {"number_of_cycles"}},
        {"compression", {"detectorSpecific/compression"}},
        {"region of interest mode", {"detectorSpecific/roi_mode"}},
        {"auto summation", {"detectorSpecific/auto_summation"}},
        {"excluded pixels", {"detectorSpecific/number_of_excluded_pixels"}},
        {"count rate correction applied", {"countrate_correction_applied"}},
        {"flat field applied", {"flatfield_correction_applied", "flatfield_applied"}},
        {"pixel mask applied", {"pixel_mask_applied"}},
    };
    return table;
}

std::string full_path(std::string path, std::string const& channel) {
    if (path.starts_with('/')) return path;
    if (path.starts_with('@')) path = channel + "_channel/" + path.substr(1);
    return at_detector(path);
}

std::optional<MetaField> read_row(Values& file, Row const& row, std::string const& channel) {
    for (char const* p : row.paths) {
        std::string const path = full_path(p, channel);
        if (auto text = file.text(path)) {
            if (!text->empty()) return MetaField{row.name, std::move(*text), ""};
        } else if (*row.base == '\0') {
            if (auto const v = file.number(path))
                return MetaField{row.name, fmt::format("{:.6g}", *v * row.scale), row.unit};
        } else if (auto const q = read_quantity(file, path, row.base)) {
            // In a unit that is not known the number is told as it is.
            if (!q->unknown.empty())
                return MetaField{row.name, fmt::format("{:.6g}", q->value), q->unknown};
            return MetaField{row.name, fmt::format("{:.6g}", q->value * row.scale), row.unit};
        }
    }
    return {};
}

std::optional<std::uint64_t> count_of(Values& file, std::string const& name) {
    auto const n = file.count(at_detector("detectorSpecific/" + name));
    return n ? n : file.count(at_detector(name));
}

/// A part of the calibration in its base; 0: the file does not state it, or what it states is noted
/// and left out.
double calibrated(Values& file, std::string const& path, char const* base, char const* what,
                  std::vector<std::string>& notes) {
    auto const q = read_quantity(file, path, base);
    if (!q) return 0;
    if (q->unknown.empty()) return positive_or_noted(q->value, what, path, notes);
    notes.push_back(fmt::format("{} is {:g} \"{}\", which is not a unit of the {}: it is left out",
                                path, q->value, q->unknown, what));
    return 0;
}

/// The detectors are made for electrons: the energy of a "photon" is that of an electron, unless
/// the file states another beam (NXsource's probe).
double electron_energy_ev(Values& file, std::vector<std::string>& notes) {
    for (char const* path : {"/entry/source/probe", "/entry/instrument/source/probe"})
        if (auto const probe = file.text(path);
            probe && !probe->empty() && probe->find("lectron") == probe->npos) {
            notes.push_back(
                fmt::format("the beam is \"{}\" ({}): no energy of electrons is taken "
                            "from the file",
                            *probe, path));
            return 0;
        }
    for (std::string const& path :
         {at_detector("detectorSpecific/photon_energy"), at_detector("photon_energy"),
          std::string("/entry/instrument/beam/incident_energy"),
          at_detector("detectorSpecific/incident_energy")})
        if (double const ev = calibrated(file, path, "eV", "energy", notes); ev > 0) return ev;
    return 0;
}

std::vector<std::uint32_t> halve(std::vector<std::uint32_t> const& mask, index rows, index cols) {
    std::vector<std::uint32_t> out(static_cast<std::size_t>(rows * cols));
    for (index r = 0; r < 2 * rows; ++r)
        for (index c = 0; c < 2 * cols; ++c)
            out[static_cast<std::size_t>(r / 2 * cols + c / 2)] |=
                mask[static_cast<std::size_t>(r * 2 * cols + c)];
    return out;
}

}  // namespace

std::optional<FieldPlace> place_of(std::string_view field) {
    for (Row const& row : rows())
        if (row.name == field)
            for (char const* path : row.paths)
                if (*path != '@')
                    return FieldPlace{full_path(path, {}), row.scale, row.unit, row.base};
    return {};
}

/// Triggers in the series modes record nimages frames each; in the enabling modes the signal's
/// length makes one.
index expected_frames(Values& file) {
    auto mode = file.text(at_detector("detectorSpecific/trigger_mode"));
    if (!mode) mode = file.text(at_detector("trigger_mode"));
    auto const triggers = count_of(file, "ntrigger");
    if (!mode || !triggers || *triggers == 0) return 0;
    std::uint64_t images = 1;
    if (*mode == "exts" || *mode == "ints")
        images = std::max<std::uint64_t>(count_of(file, "nimages").value_or(1), 1);
    else if (*mode != "exte" && *mode != "inte")
        return 0;
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    return *triggers > most / images ? index{0} : static_cast<index>(*triggers * images);
}

Detector read_detector(Values& file, std::string const& channel) {
    Detector d;
    for (Row const& row : rows())
        if (auto field = read_row(file, row, channel)) d.metadata.push_back(std::move(*field));
    d.saturation = file.count(at_detector("saturation_value"));
    if (d.saturation == 0) d.saturation.reset();
    d.mask_applied = file.number(at_detector("pixel_mask_applied")).value_or(0) != 0;
    d.frame_time_s = calibrated(file, at_detector("frame_time"), "s", "time", d.notes);
    d.energy_kv = electron_energy_ev(file, d.notes) / 1000;
    d.pixel_m = calibrated(file, at_detector("x_pixel_size"), "m", "length", d.notes);
    d.expected_frames = expected_frames(file);
    return d;
}

namespace {

// What an unused mask would have left out is in all results.
void ignore_mask(Dataset& d, std::string const& why) {
    d.warnings.push_back(fmt::format("the pixel mask is ignored ({}); give one with --mask", why));
    d.notes.push_back(d.warnings.back());
}

std::string other_shape(std::vector<std::uint64_t> const& extent, Dataset const& d) {
    bool const turned = object::plane_of(extent) == std::vector{static_cast<std::uint64_t>(d.cols),
                                                                static_cast<std::uint64_t>(d.rows)};
    bool const several = object::plane_of(extent).size() > 2;
    return fmt::format("it is {}, the frames are {}x{}{}", shape_text(extent), d.rows, d.cols,
                       turned    ? ": rows and columns have changed places"
                       : several ? ": which plane is for the whole detector is not known"
                                 : "");
}

}  // namespace

Status read_pixel_mask(Values& file, std::string const& channel, Dataset& d) {
    for (char const* p : {"@pixel_mask", "detectorSpecific/pixel_mask", "pixel_mask"}) {
        auto const object = file.object(full_path(p, channel));
        if (!object || !object->is_dataset()) continue;
        SLUICE_TRY(auto const info, object::dataset_info(*object));
        auto const is = [&](index r, index c) {
            return object::plane_of(info.space.extent) ==
                   std::vector{static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(c)};
        };
        int const times = is(d.rows, d.cols) ? 1 : is(2 * d.rows, 2 * d.cols) ? 2 : 0;
        if (times == 0) {
            ignore_mask(d, other_shape(info.space.extent, d));
            return {};
        }
        auto mask = object::read_image(*object, times * d.rows, times * d.cols);
        if (!mask && mask.error().code != Code::unsupported) return std::move(mask).error();
        if (!mask || !*mask) {
            ignore_mask(d, mask ? "it holds " + info.type.name() : mask.error().message);
            return {};
        }
        d.pixel_mask = times == 1 ? std::move(**mask) : halve(**mask, d.rows, d.cols);
        if (times == 2)
            d.notes.push_back(
                fmt::format("the pixel mask is twice the frame each way (merge2x2): a "
                            "pixel of {}x{} is masked when one of its four is",
                            d.rows, d.cols));
        return {};
    }
    return {};
}

}  // namespace sluice::nxmx
