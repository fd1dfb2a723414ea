// What a scan is: shape, size, calibration, and the memory that it takes.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/scan_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "format/frame_source.h"
#include "format/scan_shape.h"
#include "store/plan.h"

namespace sluice::cli {
namespace {

std::string amount(std::uint64_t bytes) {
    auto const b = static_cast<double>(bytes);
    if (bytes >= 1000000000) return fmt::format("{:.2f} GB", b / 1e9);
    if (bytes >= 1000000) return fmt::format("{:.1f} MB", b / 1e6);
    return fmt::format("{:.1f} kB", b / 1e3);
}

// Where an interleaved file is missing, every second frame is a run.
constexpr std::size_t most_runs = 1000;

std::string missing_text(Dataset const& d) {
    if (d.missing == 0) return {};
    bool const at_end =
        d.missing_runs.size() == 1 && d.missing_runs[0].first + d.missing_runs[0].count == d.frames;
    if (at_end) return fmt::format(", the last {} missing", d.missing);
    return fmt::format(", {} missing (number {})", d.missing, runs_text(d.missing_runs));
}

Json member_json(Dataset const& d, store::Plan const& plan) {
    Json j;
    j["path"] = d.path;
    j["format"] = d.format;
    j["scan"] = d.scan;
    j["scan_from"] = d.scan_from;
    j["detector"] = {d.rows, d.cols};
    j["dtype"] = name_of(d.dtype);
    j["frames"] = d.frames;
    j["missing_frames"] = d.missing;
    j["missing_runs"] = Json::array();
    for (std::size_t i = 0; i < std::min(d.missing_runs.size(), most_runs); ++i)
        j["missing_runs"].push_back({d.missing_runs[i].first, d.missing_runs[i].count});
    j["bytes"] = d.bytes();
    j["stored_bytes"] = d.source->stored_bytes();
    j["files"] = d.files.size();
    j["masked_pixels"] = plan.rules.bad.size();
    if (d.saturation) j["saturation"] = *d.saturation;
    for (auto const& [name, value] : {std::pair("energy_kv", d.energy_kv),
                                      {"semiangle_mrad", d.semiangle_mrad},
                                      {"scan_step_nm", d.scan_step_nm},
                                      {"detector_step_mrad", d.detector_step_mrad},
                                      {"detector_step_per_nm", d.detector_step_per_nm},
                                      {"detector_pixel_um", d.detector_pixel_um},
                                      {"camera_length_mm", d.camera_length_mm},
                                      {"dwell_s", d.dwell_s}})
        if (value > 0) j[name] = value;
    for (MetaField const& f : all_fields(d))
        j["metadata"][f.name] = f.unit.empty() ? f.value : f.value + " " + f.unit;
    std::vector<std::string> notes = d.notes;
    notes.insert(notes.end(), plan.notes.begin(), plan.notes.end());
    j["notes"] = notes;
    return j;
}

void print_member(Dataset const& d, store::Plan const& plan) {
    say("{}\n", d.path);
    print_line("format", fmt::format("{} ({})", d.format, plural(d.files.size(), "file")));
    print_line("scan", fmt::format("{} x {} (from: {})", d.scan[0], d.scan[1], d.scan_from));
    print_line("detector", fmt::format("{} x {} {}", d.rows, d.cols, name_of(d.dtype)));
    print_line("frames", fmt::format("{}{}", d.frames, missing_text(d)));
    std::uint64_t const stored = d.source->stored_bytes();
    print_line(
        "size",
        fmt::format("{} in memory as {}, {} in the files ({:.1f} : 1)", amount(d.bytes()),
                    name_of(d.dtype), amount(stored),
                    stored ? static_cast<double>(d.bytes()) / static_cast<double>(stored) : 0.0));
    print_line("masked pixels", fmt::format("{}", plan.rules.bad.size()));
    if (d.saturation) print_line("saturation", plural(*d.saturation, "count"));
    for (MetaField const& f : all_fields(d))
        print_line(f.name, f.unit.empty() ? f.value : f.value + " " + f.unit);
    for (std::string const& n : d.notes) print_line("note", n);
    for (std::string const& n : plan.notes) print_line("note", n);
}

Status print_memory(Dataset dataset, LoadOptions options, bool json, Json& out) {
    ProgressBar progress("reading");
    options.progress = progress.callback();
    SLUICE_TRY(Scan const scan, Scan::load(std::move(dataset), options));
    Memory const m = scan.memory();
    if (json) {
        out["memory"] = {{"resident", m.resident},
                         {"planes", m.planes},
                         {"source", m.source},
                         {"float32", m.float32},
                         {"layout", scan.layout()}};
        out["notes"] = scan.notes();
        return {};
    }
    auto const ratio = [&](std::uint64_t b) {
        return b ? static_cast<double>(m.float32) / static_cast<double>(b) : 0.0;
    };
    print_line("as float32", amount(m.float32));
    print_line(fmt::format("as {}", name_of(scan.dtype())),
               fmt::format("{} ({:.1f} x smaller)", amount(m.source), ratio(m.source)));
    if (m.planes)
        print_line("as bit planes",
                   fmt::format("{} ({:.1f} x smaller)", amount(m.planes), ratio(m.planes)));
    print_line("resident now", m.resident
                                   ? fmt::format("{} as {}", amount(m.resident), scan.layout())
                                   : "nothing: it would be streamed");
    for (std::string const& n : scan.notes()) print_line("note", n);
    return {};
}

}  // namespace

Status scan_info(std::string const& path, OpenOptions const& open, LoadOptions const& load,
                 bool memory, Json* json) {
    SLUICE_TRY(Dataset d, sluice::open(path, open));
    SLUICE_TRY(store::Plan const plan, store::make_plan(d, load));
    Json j = member_json(d, plan);
    if (!json) print_member(d, plan);
    if (memory) SLUICE_CHECK(print_memory(std::move(d), load, json != nullptr, j));
    if (json) *json = std::move(j);
    return {};
}

}  // namespace sluice::cli
