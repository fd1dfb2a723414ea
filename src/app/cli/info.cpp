// `sluice info`: what files are, each by its kind, without reading their data.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/cli/command.h"
#include "app/cli/dicom_info.h"
#include "app/cli/file_info.h"
#include "app/cli/machine_info.h"
#include "app/cli/ptychography/result_info.h"
#include "app/cli/shell/given.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/options.h"
#include "app/cli/slide/zarr_info.h"
#include "app/cli/stem4d/calibration_words.h"
#include "app/cli/stem4d/data_options.h"
#include "app/cli/stem4d/orientation_info.h"
#include "app/cli/stem4d/scan_info.h"
#include "app/cli/stem4d/vectors_info.h"
#include "format/dicom/mark.h"
#include "format/dicom/tags.h"
#include "format/kinds/kinds.h"
#include "format/table.h"
#include "zarr/group.h"

namespace sluice::cli {
namespace {

struct InfoCommand {
    DataOptions data;
    bool memory = false;
    slide::SlideOpenOptions slides;
    std::vector<Verb::Given> given;  // options
};

// The files to describe, and how they are opened.
struct Request {
    InfoCommand const& command;
    OpenOptions open;
    LoadOptions load;
};

Status tell_scan(std::string const& path, Request const& r, Json* json) {
    return scan_info(path, r.open, r.load, r.command.memory, json);
}
Status tell_slide(std::string const& path, Request const& r, Json* json) {
    return Look(path).is_folder() ? zarr_info(path, json)
                                  : slide_info(path, r.command.slides, json);
}
template <Status (*info)(std::string const& path, Json* json)>
Status tell_header(std::string const& path, Request const&, Json* json) {
    return info(path, json);
}

// Options by their names on the command line.
using Names = std::vector<std::string>;

Names names_for_scans(std::string const&) {
    Names names = DataOptions::names_of_scans();
    names.insert(names.end(), {"--memory", "--threads", "--device", "--memory-limit"});
    return names;
}
Names names_for_slides(std::string const& path) {
    return Look(path).is_folder() ? Names() : czi_option_names();
}
Names no_names(std::string const&) {
    return {};
}

// Each kind, and the list of the JSON report that has it. A checkpoint's reader says what it is.
struct Teller {
    ContentKind const* kind;
    char const* list;
    Status (*tell)(std::string const& path, Request const& request, Json* json);
    /// The options that apply to it beside those of all kinds.
    Names (*names)(std::string const& path) = no_names;
};
constexpr Teller scans{&kinds::scan, "members", tell_scan, names_for_scans};
constexpr Teller tellers[] = {
    scans,
    {&kinds::patterns, "members", tell_scan, names_for_scans},
    {&kinds::slide, "slides", tell_slide, names_for_slides},
    {&kinds::reconstruction, "reconstructions", tell_header<result_info>},
    {&kinds::checkpoint, "reconstructions", tell_header<result_info>},
    {&kinds::vectors, "vectors", tell_header<vectors_info>},
    {&kinds::orientations, "orientations", tell_header<orientation_info>},
    {&kinds::crystal_calibration, "calibrations", tell_header<calibration_info>},
    {&kinds::volume, "volumes", tell_header<volume_info>},
    {&kinds::plan, "plans", tell_header<plan_info>},
    {&kinds::machine, "machines", tell_header<machine_info>},
    {&kinds::structures, "structures", tell_header<structures_info>},
    {&kinds::dose, "doses", tell_header<dose_info>},
    {&kinds::plan_dose, "doses", tell_header<plan_dose_info>},
    {&kinds::song, "songs", tell_header<song_info>},
    {&kinds::model, "models", tell_header<model_info>},
};

// Nothing where no kind recognises the file.
Teller const* teller_of(std::string const& path, OpenOptions const& options) {
    if (chosen_format(options)) return &scans;
    auto const found = std::ranges::find(tellers, kind_of(path), &Teller::kind);
    return found == std::end(tellers) ? nullptr : found;
}

// Without --memory a scan is not loaded. --det-bin auto asks for the limit all the same.
Status check_loading(InfoCommand const& c) {
    if (c.memory) return {};
    for (Verb::Given const& one : c.given) {
        bool const limit = one.option == "--memory-limit";
        bool const loads = limit || one.option == "--threads" || one.option == "--device" ||
                           one.option == "--stream" || one.option == "--layout" ||
                           one.option == "--hot-pixels";
        if (!loads || (limit && c.data.load.det_bin == 0)) continue;
        return Error{Code::invalid_argument,
                     fmt::format("{} (it does not apply where the scan is not loaded) add "
                                 "--memory{}, or leave it out",
                                 one.option, limit ? " or --det-bin auto" : "")};
    }
    return {};
}

// Who gives an option expects that it does something for each of the files.
Status check_options(std::string const& path, Teller const& teller, InfoCommand const& c) {
    Names const names = teller.names(path);
    std::vector<std::string_view> apply(names.begin(), names.end());
    apply.insert(apply.end(), {"--json", "--skip-bad"});
    std::string what = fmt::format("a {}", teller.kind->name);
    if (teller.kind == &kinds::slide && Look(path).is_folder()) what = "a slide in a Zarr folder";
    Status checked = refuse_others(c.given, apply, what);
    if (checked && teller.tell == tell_scan) checked = check_loading(c);
    if (checked) return checked;
    Error error = checked.error();
    error.file = path;
    return error;
}

// A CT series is told as its folder; what else is there, file by file.
std::vector<std::string> dicom_things(std::string const& folder) {
    std::vector<std::string> out;
    bool ct = false;
    for (dicom::FoundFile const& f : dicom::dicom_files(folder)) {
        bool const image =
            f.sop_class == dicom::classes::ct || f.sop_class == dicom::classes::enhanced_ct;
        if (!image) out.push_back(f.path);
        ct = ct || image;
    }
    if (ct) out.insert(out.begin(), folder);
    return out;
}

// The acquisitions and slides of a folder, or its reconstructions; an error if there is none.
Result<std::vector<std::string>> files_in(std::string const& folder, OpenOptions const& options) {
    ContentKind const* const kind = kind_of(folder);
    if (kind == &kinds::reconstruction) return files_of(*kind, folder);
    if (kind == &kinds::volume) return dicom_things(folder);
    if (kind && kind != &kinds::scan) return std::vector{folder};
    auto scans = list_members(folder, options);
    if (!scans && scans.error().code != Code::not_found) return scans;
    std::vector<std::string> files = files_of(kinds::slide, folder);
    if (!scans && files.empty()) return scans;
    if (scans) files.insert(files.begin(), scans->begin(), scans->end());
    return files;
}

/// Tells of one file after the other. A file that cannot be read is named, and the others are told.
class Report {
  public:
    explicit Report(Request const& request) : request_(request) {}

    Status tell(std::string const& path) {
        Teller const* const known = teller_of(path, request_.open);
        if (known) SLUICE_CHECK(check_options(path, *known, request_.command));
        // What no kind recognises is opened as a scan, and that says what it is instead.
        Teller const& teller = known ? *known : scans;
        Json j;
        bool const wanted = request_.command.data.common.json;
        Status const told = teller.tell(path, request_, wanted ? &j : nullptr);
        if (!told && is_stack(path, teller)) return tell_stack(path, told.error());
        SLUICE_CHECK(told);
        if (wanted) lists_[teller.list].push_back(std::move(j));
        return {};
    }
    void skip(Error const& error, std::string const& path) {
        std::string text = error.text();
        if (!text.starts_with(path)) text = path + ": " + text;
        skipped_.push_back(std::move(text));
    }
    bool skipped() const { return !skipped_.empty(); }
    /// A single file that is not an acquisition is told without a list.
    void finish(bool alone) const {
        if (request_.command.data.common.json) say("{}\n", text_of(json(alone)));
        for (std::string const& s : skipped_) say(stderr, "sluice: {}\n", s);
    }

  private:
    Request const& request_;
    std::map<std::string, Json> lists_;
    std::vector<std::string> skipped_;

    // Zarr arrays that no one said how to read as a scan.
    bool is_stack(std::string const& path, Teller const& teller) const {
        auto const reading = [](Verb::Given const& one) { return one.option != "--json"; };
        return teller.kind == &kinds::scan && Look(path).is_folder() && zarr::is_node(path) &&
               std::ranges::none_of(request_.command.given, reading);
    }

    // The array, and what a scan lacks.
    Status tell_stack(std::string const& path, Error const& as_scan) {
        Json j;
        bool const wanted = request_.command.data.common.json;
        if (!zarr_info(path, wanted ? &j : nullptr)) return as_scan;
        if (wanted) {
            j["as_scan"] = as_scan.text();
            lists_["slides"].push_back(std::move(j));
        } else {
            print_line("as a scan", as_scan.text());
        }
        return {};
    }

    Json json(bool alone) const {
        if (alone && lists_.size() == 1 && !lists_.contains("members"))
            return lists_.begin()->second[0];
        Json out;
        out["members"] = Json::array();
        for (Teller const& t : tellers)
            if (auto const list = lists_.find(t.list); list != lists_.end())
                out[t.list] = list->second;
        out["skipped"] = skipped_;
        return out;
    }
};

// 1 if a file could not be read, unless that was asked for.
Result<int> run(InfoCommand const& c) {
    SLUICE_CHECK(c.data.expect_processor());
    SLUICE_TRY(OpenOptions const open, c.data.open_options());
    std::vector<std::string> files;
    for (std::string const& path : c.data.paths) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(path, ignored)) {
            files.push_back(path);
            continue;
        }
        SLUICE_TRY(auto const more, files_in(path, open));
        files.insert(files.end(), more.begin(), more.end());
    }
    SLUICE_TRY(LoadOptions const load,
               c.data.load_options(c.data.load.det_bin == 0 ? std::ssize(files) : 1));
    Request const request{c, open, load};
    Report report(request);
    for (std::string const& file : files) {
        Status const told = report.tell(file);
        if (told) continue;
        if (files.size() == 1 || told.error().code == Code::cancelled) return told.error();
        report.skip(told.error(), file);
    }
    report.finish(files.size() == 1);
    return report.skipped() && !c.data.series.skip_bad ? 1 : 0;
}

}  // namespace

void add_info(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
        "info",
        "what a file is: a scan, a slide, a reconstruction, a volume, a plan, a machine, a song or "
        "a model");
    auto const c = std::make_shared<InfoCommand>();
    c->data.add(*app);
    add_czi_options(*app, c->slides);
    app->add_flag("--memory", c->memory, "load it and tell the bytes it takes in each form");
    CommonUse use = DataOptions::use();
    use.trace = refused("notes no steps");
    c->data.common.add(*app, use);
    std::string formats = "Formats:\n";
    for (Format const& f : sluice::formats())
        formats += fmt::format("  {:<14} {}\n", f.name, f.title);
    for (ContentKind const* const kind : all_kinds())
        if (kind != &kinds::scan)
            formats += fmt::format("  {:<14} {}{}{}\n", kind->name, kind->title,
                                   kind->formats.empty() ? "" : ": ", kind->formats);
    app->footer(formats +
                "\nExamples:\n  sluice info scan_master.h5\n  sluice info --memory scan_master.h5\n"
                "  sluice info --json folder_of_masters/\n  sluice info a.czi b.czi\n"
                "  sluice info --json folder_of_slides/");
    app->callback([c, app, &exit_code] {
        c->given = app->given();
        auto const code = run(*c);
        exit_code = code ? *code : report(code.error());
    });
}

}  // namespace sluice::cli
