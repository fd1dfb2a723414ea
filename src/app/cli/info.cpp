// `sluice info`: what an acquisition is, without reading its frames.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/command.h"
#include "app/cli/data_options.h"
#include "app/cli/outputs.h"
#include "app/cli/slide_info.h"
#include "app/cli/terminal.h"
#include "format/table.h"
#include "store/plan.h"

namespace sluice::cli {
namespace {

struct InfoCommand {
    DataOptions data;
    bool json = false, memory = false;
    czi::OpenOptions slides;
};

// What of the paths are slides, and what is left for the formats of acquisitions.
struct Inputs {
    std::vector<std::string> slides, others, skipped;
};

std::string amount(std::uint64_t bytes) {
    auto const b = static_cast<double>(bytes);
    if (bytes >= 1000000000) return fmt::format("{:.2f} GB", b / 1e9);
    if (bytes >= 1000000) return fmt::format("{:.1f} MB", b / 1e6);
    return fmt::format("{:.1f} kB", b / 1e3);
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
    j["bytes"] = d.bytes();
    j["stored_bytes"] = d.source->stored_bytes();
    j["files"] = d.files.size();
    j["masked_pixels"] = plan.rules.bad.size();
    if (d.saturation) j["saturation"] = *d.saturation;
    if (d.scan_step_nm > 0) j["scan_step_nm"] = d.scan_step_nm;
    if (d.detector_step_mrad > 0) j["detector_step_mrad"] = d.detector_step_mrad;
    if (d.dwell_s > 0) j["dwell_s"] = d.dwell_s;
    for (MetaField const& f : d.metadata)
        j["metadata"][f.name] = f.unit.empty() ? f.value : f.value + " " + f.unit;
    std::vector<std::string> notes = d.notes;
    notes.insert(notes.end(), plan.notes.begin(), plan.notes.end());
    j["notes"] = notes;
    return j;
}

void line(std::string_view name, std::string const& value) {
    fmt::print("  {:<22} {}\n", name, value);
}

void print_member(Dataset const& d, store::Plan const& plan) {
    fmt::print("{}\n", d.path);
    line("format", fmt::format("{} ({} {})", d.format, d.files.size(),
                               d.files.size() == 1 ? "file" : "files"));
    line("scan", fmt::format("{} x {} (from: {})", d.scan[0], d.scan[1], d.scan_from));
    line("detector", fmt::format("{} x {} {}", d.rows, d.cols, name_of(d.dtype)));
    line("frames", d.missing ? fmt::format("{}, the last {} missing", d.frames, d.missing)
                             : fmt::format("{}", d.frames));
    std::uint64_t const stored = d.source->stored_bytes();
    line("size",
         fmt::format("{} in memory as {}, {} in the files ({:.1f} : 1)", amount(d.bytes()),
                     name_of(d.dtype), amount(stored),
                     stored ? static_cast<double>(d.bytes()) / static_cast<double>(stored) : 0.0));
    line("masked pixels", fmt::format("{}", plan.rules.bad.size()));
    if (d.saturation) line("saturation", fmt::format("{} counts", *d.saturation));
    if (d.scan_step_nm > 0) line("scan step", fmt::format("{:g} nm", d.scan_step_nm));
    if (d.detector_step_mrad > 0)
        line("detector pixel", fmt::format("{:g} mrad", d.detector_step_mrad));
    if (d.dwell_s > 0) line("dwell time", fmt::format("{:g} us", d.dwell_s * 1e6));
    for (MetaField const& f : d.metadata)
        line(f.name, f.unit.empty() ? f.value : f.value + " " + f.unit);
    for (std::string const& n : d.notes) line("note", n);
    for (std::string const& n : plan.notes) line("note", n);
}

Status print_memory(Dataset dataset, LoadOptions options, bool json, Json& out) {
    Progress progress("reading");
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
    line("as float32", amount(m.float32));
    line(fmt::format("as {}", name_of(scan.dtype())),
         fmt::format("{} ({:.1f} x smaller)", amount(m.source), ratio(m.source)));
    if (m.planes)
        line("as bit planes",
             fmt::format("{} ({:.1f} x smaller)", amount(m.planes), ratio(m.planes)));
    line("resident now", m.resident ? fmt::format("{} as {}", amount(m.resident), scan.layout())
                                    : "nothing: it would be streamed");
    for (std::string const& n : scan.notes()) line("note", n);
    return {};
}

Result<Inputs> sorted_inputs(InfoCommand const& c) {
    namespace fs = std::filesystem;
    Inputs in;
    SLUICE_TRY(OpenOptions const options, c.data.open_options());
    for (std::string const& path : c.data.paths) {
        std::error_code failed;
        if (!fs::is_directory(path, failed)) {
            (fs::is_regular_file(path, failed) && is_czi(path) ? in.slides : in.others)
                .push_back(path);
            continue;
        }
        std::size_t const before = in.slides.size();
        for (auto const& entry : fs::directory_iterator(path, failed)) {
            std::error_code odd;
            if (!entry.is_regular_file(odd)) continue;
            std::string const name = entry.path().string();
            if (is_czi(name))
                in.slides.push_back(name);
            else if (entry.path().extension() == ".czi")
                in.skipped.push_back(name + ": is no CZI file (it does not begin with ZISRAWFILE)");
        }
        std::sort(in.slides.begin() + static_cast<std::ptrdiff_t>(before), in.slides.end());
        // A folder of slides alone is no error of the other formats.
        if (in.slides.size() == before || list_members(path, options)) in.others.push_back(path);
    }
    std::sort(in.skipped.begin(), in.skipped.end());
    return in;
}

Status members(InfoCommand const& c, std::vector<std::string> const& paths, Json& all,
               std::vector<std::string>& skipped) {
    DataOptions data = c.data;
    data.paths = paths;
    SLUICE_TRY(Series series, data.open());
    SLUICE_TRY(LoadOptions const options,
               c.data.load_options(c.data.det_bin == "auto" ? std::ssize(series.members) : 1));
    for (Dataset& d : series.members) {
        SLUICE_TRY(store::Plan const plan, store::make_plan(d, options));
        Json j = member_json(d, plan);
        if (!c.json) print_member(d, plan);
        if (c.memory) SLUICE_CHECK(print_memory(std::move(d), options, c.json, j));
        all.push_back(std::move(j));
    }
    skipped.insert(skipped.end(), series.skipped.begin(), series.skipped.end());
    return {};
}

// One that cannot be opened is told, and does not keep the others back.
Status slides(InfoCommand const& c, Inputs const& in, Json& all, int& exit_code) {
    for (std::string const& path : in.slides) {
        Json j;
        Status done = slide_info(path, c.slides, c.json ? &j : nullptr);
        if (!done && in.slides.size() + in.others.size() == 1) return done;
        if (!done) exit_code = report(done.error());
        if (!done) j = {{"path", path}, {"error", done.error().text()}};
        all.push_back(std::move(j));
    }
    return {};
}

Status run(InfoCommand const& c, int& exit_code) {
    SLUICE_TRY(Inputs in, sorted_inputs(c));
    Json of_slides = Json::array(), of_members = Json::array();
    SLUICE_CHECK(slides(c, in, of_slides, exit_code));
    if (!in.others.empty()) SLUICE_CHECK(members(c, in.others, of_members, in.skipped));
    bool const alone = c.data.paths.size() == 1 && in.slides == c.data.paths;
    if (c.json && alone) {
        fmt::print("{}\n", text_of(of_slides[0]));
    } else if (c.json) {
        Json out;
        out["members"] = of_members;
        if (!in.slides.empty()) out["slides"] = of_slides;
        out["skipped"] = in.skipped;
        fmt::print("{}\n", text_of(out));
    } else {
        for (std::string const& s : in.skipped) fmt::print("skipped: {}\n", s);
    }
    return {};
}

}  // namespace

void add_info(CLI::App& parent, int& exit_code) {
    CLI::App* const app = parent.add_subcommand("info", "what an acquisition or a slide is");
    auto const c = std::make_shared<InfoCommand>();
    c->data.add_opening(*app);
    c->data.add_loading(*app);
    c->data.add_device(*app);
    app->add_flag("--json", c->json, "print JSON");
    auto* const recover =
        app->add_flag("--recover", c->slides.recover,
                      "CZI: find the tiles by walking the file, where it was not finished");
    app->add_flag("--trust-directory", c->slides.trust_directory,
                  "CZI: take tiles as the directory describes them, although they say otherwise")
        ->excludes(recover);
    app->add_flag("--memory", c->memory, "load it and tell the bytes it takes in each form");
    std::string formats = "Formats:\n";
    for (Format const& f : sluice::formats())
        formats += fmt::format("  {:<10} {}\n", f.name, f.title);
    formats += fmt::format("  {:<10} {}\n", "czi", "microscope slides of ZEISS");
    app->footer(formats +
                "\nExamples:\n  sluice info scan_master.h5\n  sluice info --memory scan_master.h5\n"
                "  sluice info --json folder_of_masters/\n  sluice info a.czi b.czi\n"
                "  sluice info --json folder_of_slides/");
    app->callback([c, &exit_code] {
        if (auto s = run(*c, exit_code); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
