// The companion file: what the microscope knows of the scan ("STEM Metadata").
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "format/calibration.h"
#include "format/nxmx/master.h"
#include "format/nxmx/values.h"

namespace sluice::nxmx {
namespace {

using namespace hdf5;

/// Values that are told as they are.
struct Field {
    char const *attribute, *name;
};

constexpr char const* group_path = "/STEM Metadata";

constexpr Field fields[] = {
    {"Magnification", "magnification"},
    {"Rotation", "scan rotation"},
    {"ScanDwellTime", "scan dwell time"},
    {"ScanIncrement", "scan increment"},
    {"SpotSize", "spot size"},
    {"NumPixelsPrescan", "prescan pixels"},
};

std::optional<CompanionScan> scan_of(Values& file) {
    auto const count = [&](char const* name) {
        double const v = file.attribute_number(group_path, name).value_or(0);
        return v >= 0 && v <= 1e9 ? static_cast<index>(v) : index{0};
    };
    CompanionScan s{{count("NumPixelsY"), count("NumPixelsX")}, count("NumPixelsPrescan")};
    return s.grid[0] > 0 && s.grid[1] > 0 ? std::optional(s) : std::nullopt;
}

void read_fields(Values& file, Companion& c) {
    for (Field const& f : fields)
        if (auto const v = file.attribute_number(group_path, f.attribute))
            c.metadata.push_back({f.name, fmt::format("{:.6g}", *v), ""});
    auto const positive = [&](char const* name, char const* what) {
        auto const v = file.attribute_number(group_path, name);
        std::string const place = fmt::format("{}: '{}' of {}", c.file, name, group_path);
        return v ? positive_or_noted(*v, what, place, c.notes) : 0;
    };
    c.scan_step_nm = positive("Pixel Size", "scan step");
    c.camera_length_m = positive("Camera Length", "camera length");
    c.energy_kv = positive("High Tension", "energy") / 1000;
    if (c.scan_step_nm > 0 && file.attribute_number(group_path, "IsPixelSizeCalibrated") == 0.0)
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
    Companion c;
    c.file = std::filesystem::path(path).lexically_normal().string();
    auto const ignored = [&](std::string const& why) {
        c.notes.push_back("the companion file is ignored (" + why + ")");
        return c;
    };
    auto const root = object::Object::open_file(path);
    if (!root) return ignored(root.error().text());
    Values values(*root);
    bool const group = values.object(group_path).has_value();
    if (group) {
        c.scan = scan_of(values);
        read_fields(values, c);
    }
    if (auto s = values.status(); !s) {
        c = Companion{c.file};
        return ignored(s.error().text());
    }
    if (!group) return ignored(c.file + " has no STEM Metadata");
    return c;
}

}  // namespace sluice::nxmx
