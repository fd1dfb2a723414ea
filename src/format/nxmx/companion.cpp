// The companion file: what the microscope knows of the scan ("STEM Metadata").
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "format/nxmx/master.h"

namespace sluice::nxmx {
namespace {

using namespace hdf5;

struct Field {
    char const* attribute;
    char const* name;
    double scale;
    char const* unit;
};

constexpr Field fields[] = {
    {"High Tension", "high tension", 1e-3, "kV"},  {"Pixel Size", "scan step", 1, "nm"},
    {"Camera Length", "camera length", 1e3, "mm"}, {"Magnification", "magnification", 1, ""},
    {"Rotation", "scan rotation", 1, ""},          {"ScanDwellTime", "scan dwell time", 1, ""},
    {"ScanIncrement", "scan increment", 1, ""},    {"SpotSize", "spot size", 1, ""},
    {"NumPixelsPrescan", "prescan pixels", 1, ""},
};

std::optional<CompanionScan> scan_of(hid_t group) {
    auto const count = [&](char const* name) {
        double const v = attribute_number(group, name).value_or(0);
        return v >= 0 && v <= 1e9 ? static_cast<index>(v) : index{0};
    };
    CompanionScan s{{count("NumPixelsY"), count("NumPixelsX")}, count("NumPixelsPrescan")};
    return s.grid[0] > 0 && s.grid[1] > 0 ? std::optional(s) : std::nullopt;
}

void read_fields(hid_t group, Companion& c) {
    for (Field const& f : fields)
        if (auto const v = attribute_number(group, f.attribute))
            c.metadata.push_back({f.name, fmt::format("{:.6g}", *v * f.scale), f.unit});
    auto const positive = [&](char const* name) {
        return std::max(attribute_number(group, name).value_or(0), 0.0);
    };
    c.scan_step_nm = positive("Pixel Size");
    c.camera_length_m = positive("Camera Length");
    c.high_tension_kv = positive("High Tension") / 1000;
    if (c.scan_step_nm > 0 && attribute_number(group, "IsPixelSizeCalibrated") == 0.0)
        c.notes.push_back(
            "the scan step is nominal (the microscope says that it is not "
            "calibrated)");
}

}  // namespace

std::optional<Companion> read_companion(std::string const& master_path) {
    std::string const prefix = prefix_of(master_path);
    std::error_code e;
    std::string const path = folder_of(master_path) + "/" + prefix + ".h5";
    if (prefix.empty() || !std::filesystem::is_regular_file(path, e)) return {};
    LibraryLock lock;
    Companion c;
    c.file = std::filesystem::path(path).lexically_normal().string();
    auto file = open_file(path);
    if (!file) {
        c.notes.push_back("the companion file is ignored (" + file.error().text() + ")");
        return c;
    }
    Handle const group = open_object(file->id(), "/STEM Metadata");
    if (!group) {
        c.notes.push_back("the companion file is ignored (" + c.file + " has no STEM Metadata)");
        return c;
    }
    c.scan = scan_of(group.id());
    read_fields(group.id(), c);
    return c;
}

}  // namespace sluice::nxmx
