// `sluice info`: what an acquisition is, without reading its frames.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/command.h"
#include "app/cli/ptychography/result_info.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/options.h"
#include "app/cli/slide/zarr_info.h"
#include "app/cli/stem4d/data_options.h"
#include "app/view/ptychography/results.h"
#include "base/unfinished.h"
#include "format/scan_shape.h"
#include "format/table.h"
#include "store/plan.h"

namespace sluice::cli {
namespace {

struct InfoCommand {
    DataOptions data;
    bool memory = false;
    czi::OpenOptions slides;
};

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
    line("frames", fmt::format("{}{}", d.frames, missing_text(d)));
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

// Whether it is a slide, or is called one: then its own reader says what is wrong with it.
bool is_slide(std::filesystem::path const& path) {
    return is_czi(path.string()) || path.extension() == ".czi";
}

// The acquisitions and slides of a folder, or its reconstructions; an error if there is none.
Result<std::vector<std::string>> files_of(std::string const& folder, OpenOptions const& options) {
    namespace fs = std::filesystem;
    if (app::is_result(folder)) return app::result_files(folder);
    auto files = list_members(folder, options);
    if (!files && files.error().code != Code::not_found) return files;
    std::vector<std::string> slides;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        std::error_code ignored;
        std::string const name = entry->path().filename().string();
        if (entry->is_regular_file(ignored) && !is_unfinished(name) && is_slide(entry->path()))
            slides.push_back(entry->path().string());
    }
    if (!files && slides.empty()) return files;
    std::ranges::sort(slides);
    if (files) slides.insert(slides.begin(), files->begin(), files->end());
    return slides;
}

/// Tells of one file after the other. What cannot be read is named, and the others are told.
class Teller {
  public:
    Teller(InfoCommand const& c, OpenOptions open, LoadOptions load)
        : c_(c), open_(std::move(open)), load_(std::move(load)) {}

    Status tell(std::string const& path) {
        if (is_slide(path)) return tell_slide(path);
        if (app::is_result(path)) return tell_result(path);
        SLUICE_TRY(Dataset d, sluice::open(path, open_));
        SLUICE_TRY(store::Plan const plan, store::make_plan(d, load_));
        Json j = member_json(d, plan);
        if (!c_.data.common.json) print_member(d, plan);
        if (c_.memory) SLUICE_CHECK(print_memory(std::move(d), load_, c_.data.common.json, j));
        members_.push_back(std::move(j));
        return {};
    }
    void skip(Error const& error, std::string const& path) {
        std::string text = error.text();
        if (!text.starts_with(path)) text = path + ": " + text;
        skipped_.push_back(std::move(text));
    }
    bool skipped() const { return !skipped_.empty(); }
    /// What is alone and no acquisition is told without a list.
    void finish(bool alone) const {
        if (c_.data.common.json && alone && slides_.size() + results_.size() == 1) {
            fmt::print("{}\n", text_of(slides_.empty() ? results_[0] : slides_[0]));
        } else if (c_.data.common.json) {
            Json out;
            out["members"] = members_;
            if (!slides_.empty()) out["slides"] = slides_;
            if (!results_.empty()) out["reconstructions"] = results_;
            out["skipped"] = skipped_;
            fmt::print("{}\n", text_of(out));
        }
        for (std::string const& s : skipped_) fmt::print(stderr, "sluice: {}\n", s);
    }

  private:
    InfoCommand const& c_;
    OpenOptions open_;
    LoadOptions load_;
    Json members_ = Json::array(), slides_ = Json::array(), results_ = Json::array();
    std::vector<std::string> skipped_;

    Status tell_slide(std::string const& path) {
        Json j;
        SLUICE_CHECK(slide_info(path, c_.slides, c_.data.common.json ? &j : nullptr));
        if (c_.data.common.json) slides_.push_back(std::move(j));
        return {};
    }
    Status tell_result(std::string const& path) {
        Json j;
        SLUICE_CHECK(result_info(path, c_.data.common.json ? &j : nullptr));
        if (c_.data.common.json) results_.push_back(std::move(j));
        return {};
    }
};

// 1 if a file could not be read, unless that was asked for.
Result<int> run(InfoCommand const& c) {
    if (c.data.paths.size() == 1 && is_zarr(c.data.paths[0])) {
        SLUICE_CHECK(zarr_info(c.data.paths[0], c.data.common.json));
        return 0;
    }
    SLUICE_CHECK(c.data.expect_processor());
    SLUICE_TRY(OpenOptions const open, c.data.open_options());
    std::vector<std::string> files;
    for (std::string const& path : c.data.paths) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(path, ignored)) {
            files.push_back(path);
            continue;
        }
        SLUICE_TRY(auto const more, files_of(path, open));
        files.insert(files.end(), more.begin(), more.end());
    }
    SLUICE_TRY(LoadOptions const load,
               c.data.load_options(c.data.load.det_bin == 0 ? std::ssize(files) : 1));
    Teller teller(c, open, load);
    for (std::string const& file : files) {
        Status const told = teller.tell(file);
        if (told) continue;
        if (files.size() == 1 || told.error().code == Code::cancelled) return told.error();
        teller.skip(told.error(), file);
    }
    teller.finish(files.size() == 1);
    return teller.skipped() && !c.data.series.skip_bad ? 1 : 0;
}

}  // namespace

void add_info(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("info", "what an acquisition, a slide or a reconstruction is");
    auto const c = std::make_shared<InfoCommand>();
    c->data.add(*app);
    add_czi_options(*app, c->slides);
    app->add_flag("--memory", c->memory, "load it and tell the bytes it takes in each form");
    CommonUse use = DataOptions::use();
    use.trace = refused("notes no steps");
    c->data.common.add(*app, use);
    // Without it nothing is loaded.
    for (char const* const name : {"--threads", "--device"})
        app->get_option(name).needs("--memory");
    std::string formats = "Formats:\n";
    for (Format const& f : sluice::formats())
        formats += fmt::format("  {:<10} {}\n", f.name, f.title);
    formats += fmt::format("  {:<10} {}\n", "czi", "microscope slides of ZEISS");
    formats += fmt::format("  {:<10} {}\n", "ome-zarr", "folders of slide convert and of others");
    formats += fmt::format("  {:<10} {}\n", "result", "ptychography.h5 of stem4d ptychography");
    app->footer(formats +
                "\nExamples:\n  sluice info scan_master.h5\n  sluice info --memory scan_master.h5\n"
                "  sluice info --json folder_of_masters/\n  sluice info a.czi b.czi\n"
                "  sluice info --json folder_of_slides/");
    app->callback([c, &exit_code] {
        auto const code = run(*c);
        exit_code = code ? *code : report(code.error());
    });
}

}  // namespace sluice::cli
