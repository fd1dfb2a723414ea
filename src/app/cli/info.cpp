// `sluice info`: what files are, each by its kind, without reading their data.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/cli/command.h"
#include "app/cli/file_info.h"
#include "app/cli/ptychography/result_info.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/options.h"
#include "app/cli/slide/zarr_info.h"
#include "app/cli/stem4d/data_options.h"
#include "app/cli/stem4d/scan_info.h"
#include "app/cli/stem4d/vectors_info.h"
#include "format/kinds/kinds.h"
#include "format/table.h"

namespace sluice::cli {
namespace {

struct InfoCommand {
    DataOptions data;
    bool memory = false;
    slide::SlideOpenOptions slides;
};

// What is told of, and how it is opened.
struct Request {
    InfoCommand const& command;
    OpenOptions open;
    LoadOptions load;
};

Status tell_scan(std::string const& path, Request const& r, Json* json) {
    return scan_info(path, r.open, r.load, r.command.memory, json);
}
Status tell_slide(std::string const& path, Request const& r, Json* json) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored) ? zarr_info(path, json)
                                                        : slide_info(path, r.command.slides, json);
}
template <Status (*info)(std::string const& path, Json* json)>
Status tell_header(std::string const& path, Request const&, Json* json) {
    return info(path, json);
}

// Each kind, and the list of the JSON report that has it. A checkpoint's reader says what it is.
struct Teller {
    ContentKind const* kind;
    char const* list;
    Status (*tell)(std::string const& path, Request const& request, Json* json);
};
constexpr Teller scans{&kinds::scan, "members", tell_scan};
constexpr Teller tellers[] = {
    scans,
    {&kinds::patterns, "members", tell_scan},
    {&kinds::slide, "slides", tell_slide},
    {&kinds::reconstruction, "reconstructions", tell_header<result_info>},
    {&kinds::checkpoint, "reconstructions", tell_header<result_info>},
    {&kinds::vectors, "vectors", tell_header<vectors_info>},
    {&kinds::volume, "volumes", tell_header<volume_info>},
    {&kinds::dose, "doses", tell_header<dose_info>},
    {&kinds::song, "songs", tell_header<song_info>},
    {&kinds::model, "models", tell_header<model_info>},
};

// What is of no kind is opened as a scan, which says what it is instead.
Teller const& teller_of(std::string const& path, OpenOptions const& options) {
    if (options.raw_frame) return scans;
    auto const found = std::ranges::find(tellers, kind_of(path), &Teller::kind);
    return found == std::end(tellers) ? scans : *found;
}

// The acquisitions and slides of a folder, or its reconstructions; an error if there is none.
Result<std::vector<std::string>> files_in(std::string const& folder, OpenOptions const& options) {
    ContentKind const* const kind = kind_of(folder);
    if (kind == &kinds::reconstruction) return files_of(*kind, folder);
    if (kind && kind != &kinds::scan) return std::vector{folder};
    auto scans = list_members(folder, options);
    if (!scans && scans.error().code != Code::not_found) return scans;
    std::vector<std::string> files = files_of(kinds::slide, folder);
    if (!scans && files.empty()) return scans;
    if (scans) files.insert(files.begin(), scans->begin(), scans->end());
    return files;
}

/// Tells of one file after the other. What cannot be read is named, and the others are told.
class Report {
  public:
    explicit Report(Request const& request) : request_(request) {}

    Status tell(std::string const& path) {
        Teller const& teller = teller_of(path, request_.open);
        if (request_.command.memory && teller.tell != tell_scan)
            return Error{Code::invalid_argument,
                         fmt::format("--memory (it is of scans, and this is a {}) leave it out",
                                     teller.kind->name),
                         path};
        Json j;
        SLUICE_CHECK(teller.tell(path, request_, request_.command.data.common.json ? &j : nullptr));
        if (request_.command.data.common.json) lists_[teller.list].push_back(std::move(j));
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
        if (request_.command.data.common.json) fmt::print("{}\n", text_of(json(alone)));
        for (std::string const& s : skipped_) fmt::print(stderr, "sluice: {}\n", s);
    }

  private:
    Request const& request_;
    std::map<std::string, Json> lists_;
    std::vector<std::string> skipped_;

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
        "info", "what a file is: a scan, a slide, a reconstruction, a volume, a song or a model");
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
        formats += fmt::format("  {:<14} {}\n", f.name, f.title);
    for (ContentKind const* const kind : all_kinds())
        if (kind != &kinds::scan)
            formats += fmt::format("  {:<14} {}{}{}\n", kind->name, kind->title,
                                   kind->formats.empty() ? "" : ": ", kind->formats);
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
