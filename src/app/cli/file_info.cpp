// Headers of volumes, doses, songs and models as lines and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/file_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "app/cli/dicom_info.h"
#include "app/cli/shell/terminal.h"
#include "app/view/proton/open_volumes.h"
#include "audio/source.h"
#include "base/file.h"
#include "base/plural.h"
#include "format/dicom/load.h"
#include "format/volume/header.h"
#include "format/weights/weights.h"

namespace sluice::cli {
namespace fs = std::filesystem;

Status volume_info(std::string const& path, Json* json) {
    if (dicom::is_dicom(path)) return dicom_info(path, json);
    SLUICE_TRY(File const file, File::open(path));
    SLUICE_TRY(volume::Header const h, volume::read_header(file));
    std::string const type(name_of(read_as(h.type)));
    if (json) {
        *json = Json{{"path", path}, {"format", "volume"}, {"sides", h.sides}, {"dtype", type}};
        if (!h.spacing.empty()) (*json)["spacing_mm"] = h.spacing;
        if (!h.origin.empty()) (*json)["origin_mm"] = h.origin;
        (*json)["turned"] = !is_straight(h.direction);
        (*json)["direction"] = h.direction;
        if (!h.content.empty()) (*json)["content"] = h.content;
        return {};
    }
    say("{}\n", path);
    print_line("format", "volume");
    print_line("elements", fmt::format("{} {} (x first)", fmt::join(h.sides, " x "), type));
    print_line("spacing", h.spacing.empty() ? "the file does not say it"
                                            : fmt::format("{} mm", fmt::join(h.spacing, " x ")));
    if (!h.origin.empty()) print_line("origin", fmt::format("{} mm", fmt::join(h.origin, ", ")));
    if (!is_straight(h.direction)) print_line("axes", describe(h.direction, h.sides.size()));
    if (!h.content.empty()) print_line("content", h.content);
    return {};
}

Status dose_info(std::string const& path, Json* json) {
    SLUICE_TRY(app::RunGrid const grid, app::read_run_grid(path));
    if (json) {
        *json = Json{{"path", path},          {"format", "proton run"},
                     {"planes", grid.planes}, {"columns", grid.columns},
                     {"dz_mm", grid.dz},      {"dx_mm", grid.dx},
                     {"x0_mm", grid.x0}};
        return {};
    }
    say("{}\n", path);
    print_line("format", "a folder of `sluice proton run`");
    print_line("grid", fmt::format("{} of {}", plural(grid.planes, "plane"),
                                   plural(grid.columns, "column")));
    print_line("spacing", fmt::format("{} mm in depth, {} mm across", grid.dz, grid.dx));
    return {};
}

Status plan_dose_info(std::string const& path, Json* json) {
    SLUICE_TRY(auto const bytes, read_file(path + "/dose.json", std::uint64_t{16} << 20));
    auto const* const text = reinterpret_cast<char const*>(bytes.data());
    Json const report = Json::parse(text, text + bytes.size(), nullptr, false);
    std::vector<std::string> files;
    for (std::string const& file : app::files_of_plan_dose(path))
        files.push_back(fs::path(file).filename());
    if (json) {
        *json = Json{{"path", path}, {"format", "proton dose"}, {"files", files}};
        for (char const* const name : {"plan", "ct", "beams", "dose"}) (*json)[name] = report[name];
        return {};
    }
    say("{}\n", path);
    print_line("format", "a folder of `sluice proton dose`");
    for (char const* const name : {"plan", "ct"})
        if (report[name].is_string()) print_line(name, report[name].get<std::string>());
    print_line("beams", fmt::format("{}", report["beams"].size()));
    Json const& dose = report["dose"];
    if (dose.is_object() && dose.contains("highest_Gy") && dose["highest_Gy"].is_number())
        print_line("highest", fmt::format("{:.4g} Gy", dose["highest_Gy"].get<double>()));
    print_line("volumes", fmt::format("{}", fmt::join(files, ", ")));
    return {};
}

Status song_info(std::string const& path, Json* json) {
    SLUICE_TRY(audio::Source const source, audio::Source::open(path));
    audio::Sound const& s = source.sound();
    if (json) {
        *json = Json{{"path", path},
                     {"format", s.container},
                     {"encoding", s.encoding},
                     {"sample_rate", s.rate},
                     {"channels", s.channels}};
        if (s.frames) (*json)["samples"] = *s.frames;
        return {};
    }
    say("{}\n", path);
    print_line("format", fmt::format("{}, {}", s.container, s.encoding));
    print_line("sound", fmt::format("{} Hz, {}", s.rate, plural(s.channels, "channel")));
    if (s.frames)
        print_line("length", fmt::format("{:.3f} s", static_cast<double>(*s.frames) / s.rate));
    return {};
}

Status model_info(std::string const& path, Json* json) {
    SLUICE_TRY(weights::Weights const w, weights::open_weights(path));
    index parameters = 0;
    for (weights::Tensor const& t : w.tensors) parameters += t.size();
    if (json) {
        *json = Json{{"path", path},
                     {"format", weights::name_of(w.container)},
                     {"tensors", w.tensors.size()},
                     {"parameters", parameters}};
        return {};
    }
    say("{}\n", path);
    print_line("format", std::string(weights::name_of(w.container)));
    print_line("tensors",
               fmt::format("{} with {}", w.tensors.size(), plural(parameters, "parameter")));
    print_line("note", "`sluice music inspect` says which network it is, and what it needs");
    return {};
}

}  // namespace sluice::cli
