// Calibration as texts, and what is wrong with a file's.
// SPDX-License-Identifier: Apache-2.0
#include "format/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sluice {

double positive_or_noted(double value, std::string_view what, std::string_view place,
                         std::vector<std::string>& notes) {
    if (std::isfinite(value) && value > 0) return value;
    std::string note =
        fmt::format("{} holds {:g}, which is not a valid {} and is left out", place, value, what);
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
    return 0;
}

double ten_digits(double value) {
    std::string const text = fmt::format("{:.10g}", value);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::vector<MetaField> all_fields(Dataset const& d) {
    std::vector<MetaField> fields;
    auto const add = [&](char const* name, double value, char const* unit) {
        if (value > 0) fields.push_back({name, fmt::format("{:.6g}", value), unit});
    };
    add("scan step", d.scan_step_nm, "nm");
    add("detector pixel", d.detector_step_mrad, "mrad");
    add("detector step", d.detector_step_per_nm, "1/nm");
    add("dwell time", d.dwell_s * 1e6, "us");
    add("high tension", d.energy_kv, "kV");
    add("convergence angle", d.semiangle_mrad, "mrad");
    add("camera length", d.camera_length_mm, "mm");
    add("pixel size", d.detector_pixel_um, "um");
    if (d.detector_turn) {
        fields.push_back(
            {"detector rotation", fmt::format("{:.6g}", d.detector_turn->degrees), "degrees"});
        fields.push_back(
            {"detector transposed", d.detector_turn->transpose ? "true" : "false", ""});
    }
    fields.insert(fields.end(), d.metadata.begin(), d.metadata.end());
    return fields;
}

std::string text_of(DetectorTurn const& turn) {
    return fmt::format("{:g} degrees{}", turn.degrees, turn.transpose ? ", transposed" : "");
}

}  // namespace sluice
