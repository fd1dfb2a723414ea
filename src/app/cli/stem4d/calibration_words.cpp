// Tells calibrations, and applies one to the disks of `strain`.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/calibration_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/terminal.h"
#include "domain/crystal/calibrate/words.h"

namespace sluice::cli {
namespace {

using stem4d::Calibration;

std::string origins_of(stem4d::OriginFit const& o) {
    return fmt::format("{} about ({:.3f}, {:.3f}) px, by {} patterns, without {}",
                       config::word_of(o.surface), o.center().row, o.center().col, o.used,
                       o.left_out);
}
std::string distortion_of(stem4d::Distortion const& d) {
    return fmt::format("{:.5f} \u00b1 {:.5f} along {:.2f} \u00b1 {:.2f} degrees", d.ratio(),
                       d.ratio_error(), d.angle_degrees(), d.angle_error_degrees());
}
std::string size_of(Calibration const& c) {
    return fmt::format("{:.7g} \u00b1 {:.2g} 1/\u00c5", c.pixel_size, c.pixel_size_error);
}
std::string rotation_of(stem4d::Rotation const& r) {
    return fmt::format("{:g} degrees{}", r.degrees, r.transpose ? ", transposed" : "");
}

bool was_given(std::vector<Verb::Given> const& given, std::string const& name) {
    return std::ranges::find(given, name, &Verb::Given::option) != given.end();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parts_of_calibration(Calibration const& c) {
    std::vector<std::pair<std::string, std::string>> parts;
    if (c.origins) parts.emplace_back("origins", origins_of(*c.origins));
    if (c.distortion) parts.emplace_back("distortion", distortion_of(*c.distortion));
    if (c.pixel_size > 0) parts.emplace_back("pixel size", size_of(c));
    if (!c.crystal.empty()) parts.emplace_back("crystal", c.crystal);
    if (c.rotation) parts.emplace_back("rotation", rotation_of(*c.rotation));
    return parts;
}

std::string text_of_calibration(Calibration const& c) {
    std::string text;
    for (auto const& [name, value] : parts_of_calibration(c))
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, value);
    return text;
}

Json json_of_calibration(Calibration const& c) {
    Json j;
    j["scan"] = c.scan_shape;
    j["detector"] = c.detector_shape;
    j["center"] = {c.center().row, c.center().col};
    if (c.origins)
        j["origins"] = {{"surface", config::word_of(c.origins->surface)},
                        {"used", c.origins->used},
                        {"left_out", c.origins->left_out},
                        {"sigma_row", c.origins->sigma_row},
                        {"sigma_col", c.origins->sigma_col}};
    if (c.distortion)
        j["distortion"] = {{"ratio", c.distortion->ratio()},
                           {"ratio_error", c.distortion->ratio_error()},
                           {"angle_degrees", c.distortion->angle_degrees()},
                           {"angle_error_degrees", c.distortion->angle_error_degrees()}};
    if (c.pixel_size > 0) {
        auto const m = c.distortion.value_or(stem4d::Distortion{}).correction();
        j["pixel_size"] = c.pixel_size;
        j["pixel_size_error"] = c.pixel_size_error;
        j["pixel_sizes"] = {c.pixel_size * m[0], c.pixel_size * m[2]};
    }
    if (c.rotation)
        j["rotation"] = {{"degrees", c.rotation->degrees}, {"transpose", c.rotation->transpose}};
    j["crystal"] = c.crystal;
    return j;
}

Result<Calibration> calibrate_strain(std::string const& path, stem4d::BraggVectors& vectors,
                                     stem4d::StrainOptions& strain,
                                     std::vector<Verb::Given> const& given, JobReport& report) {
    SLUICE_TRY(Calibration calibration, stem4d::load_calibration(path));
    auto applied = stem4d::apply_calibration(std::move(vectors), calibration);
    if (!applied) {
        Error error = applied.error();
        error.file = path;
        return error;
    }
    vectors = std::move(applied->vectors);
    if (calibration.rotation && !was_given(given, "--scan-rotation") &&
        !was_given(given, "--transpose")) {
        strain.scan_rotation_degrees = calibration.rotation->degrees;
        strain.transpose = calibration.rotation->transpose;
    }
    report.json["calibration"] = json_of_calibration(calibration);
    report.notes.push_back("calibrated: " + text_of_calibration(calibration));
    return calibration;
}

Error no_theory() {
    return {Code::invalid_argument,
            "--reference theory needs the crystal's lattice (a calibration has it) give "
            "--calibration FILE"};
}

Status calibration_info(std::string const& path, Json* json) {
    SLUICE_TRY(Calibration const c, stem4d::load_calibration(path));
    if (json) {
        *json = Json{{"path", path}, {"format", "crystal calibration"}};
        json->update(json_of_calibration(c));
        return {};
    }
    say("{}\n", path);
    print_line("format", "crystal calibration");
    print_line("scan", fmt::format("{} x {}", c.scan_shape[0], c.scan_shape[1]));
    print_line("detector", fmt::format("{} x {}", c.detector_shape[0], c.detector_shape[1]));
    for (auto const& [name, value] : parts_of_calibration(c)) print_line(name, value);
    return {};
}

}  // namespace sluice::cli
