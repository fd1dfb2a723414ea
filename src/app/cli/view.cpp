// `sluice view`: the viewer in the browser.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/command.h"
#include "app/cli/live/stream_options.h"
#include "app/cli/page_options.h"
#include "app/cli/shell/given.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/options.h"
#include "app/cli/stem4d/data_options.h"
#include "app/view/proton/open_volumes.h"
#include "app/view/proton/volumes.h"
#include "app/view/ptychography/results.h"
#include "app/view/slide/slides.h"
#include "app/view/stem4d/scans.h"
#include "base/file.h"
#include "domain/orientation/library/load_phases.h"
#include "format/kinds/kinds.h"
#include "format/table.h"

namespace sluice::cli {
namespace {

constexpr std::uint64_t max_session = 4 << 20;

struct Command {
    DataOptions data;
    StreamWords stream;
    PageOptions page;
    std::string session, calibration;
    std::vector<std::string> crystals;
    bool volume = false, live = false;
    slide::SlideOpenOptions slide;
    std::vector<Verb::Given> given;    // options
    std::vector<std::string> loading;  // those words that say how data are opened and loaded
};

// The given options that change which data is read; the page's commands repeat it. The
// other options concern the viewer, the machine or the memory.
std::vector<std::string> loading_words(std::vector<Verb::Given> const& all) {
    constexpr std::string_view others[] = {
        "--port",      "--host",    "--allow-remote", "--token",       "--session",
        "--print-url", "--browser", "--device",       "--threads",     "--memory-limit",
        "--stream",    "--layout",  "--crystal",      "--calibration", "--help"};
    std::vector<std::string> words;
    for (Verb::Given const& given : all) {
        if (std::ranges::find(others, given.option) != std::end(others)) continue;
        words.push_back(given.option);
        words.insert(words.end(), given.values.begin(), given.values.end());
    }
    return words;
}

Result<app::Json> read_session(std::string const& path) {
    if (path.empty()) return app::Json();
    SLUICE_TRY(auto const bytes, read_file(path, max_session));
    auto const* const text = reinterpret_cast<char const*>(bytes.data());
    app::Json session = app::Json::parse(text, text + bytes.size(), nullptr, false);
    // The page checks the rest, field by field.
    bool const known = !session.is_discarded() && session.is_object() &&
                       session.contains("schema") && session["schema"].is_string() &&
                       session["schema"].get<std::string>().starts_with("sluice-session/");
    if (!known)
        return Error{
            Code::corrupt,
            "is not a session (it is not JSON with a schema 'sluice-session/...'); save one with "
            "Export in the page",
            path};
    return session;
}

// What a page may not open itself.
Result<app::KnownCrystals> known_crystals(Command const& c) {
    SLUICE_TRY(orient::LoadedPhases phases, orient::load_phases(c.crystals));
    app::KnownCrystals known{std::move(phases.cells), c.crystals};
    if (!c.calibration.empty()) {
        SLUICE_TRY(known.calibration, stem4d::load_calibration(c.calibration));
    }
    return known;
}

Result<std::unique_ptr<app::Domain>> open_scans(Command const& c) {
    app::ScansOptions o;
    for (std::string const& path : c.data.paths)
        (c.live || is_stream(path) ? o.streams : o.paths).push_back(path);
    SLUICE_TRY(o.open, c.data.open_options());
    SLUICE_TRY(o.stream, c.stream.read());
    o.stream.stream.open = o.open;
    // Files and streams have these in common.
    o.stream.scan = o.open.scan_shape;
    o.stream.stream.channel = o.open.format.of<NxmxOptions>().channel;
    SLUICE_TRY(o.load, c.data.load_options(1));
    SLUICE_TRY(o.device, c.data.common.chosen_device());
    SLUICE_TRY(o.session, read_session(c.session));
    SLUICE_TRY(o.crystals, known_crystals(c));
    o.loading = c.loading;
    return app::Scans::open(std::move(o));
}

Result<std::unique_ptr<app::Domain>> open_slides(Command const& c) {
    return app::Slides::open(c.data.paths, c.slide);
}

Result<std::unique_ptr<app::Domain>> open_volumes(Command const& c) {
    return app::Volumes::open(c.data.paths, c.data.common.memory_limit);
}

Result<std::unique_ptr<app::Domain>> open_results(Command const& c) {
    return app::Results::open(c.data.paths, c.data.common.memory_limit);
}

using Opener = Result<std::unique_ptr<app::Domain>> (*)(Command const& c);

// What shows each kind, in the order in which paths of several kinds are refused: the first that
// one of the paths needs is the one that all must be of. The opener of a checkpoint says what it
// is.
struct Shown {
    ContentKind const* kind;
    Opener open;
    /// The options that apply to it beside those of the viewer; empty: all but those of slides.
    std::vector<std::string_view> options = {};
};
Shown const shown[] = {
    {&kinds::slide, open_slides, {"--recover", "--trust-directory"}},
    {&kinds::reconstruction, open_results, {"--memory-limit"}},
    {&kinds::checkpoint, open_results, {"--memory-limit"}},
    {&kinds::volume, open_volumes, {"--volume", "--memory-limit"}},
    {&kinds::dose, open_volumes, {"--volume", "--memory-limit"}},
    {&kinds::plan_dose, open_volumes, {"--volume", "--memory-limit"}},
    {&kinds::structures, open_volumes, {"--volume", "--memory-limit"}},
    {&kinds::scan, open_scans},
};

// Scans are the last: a path of no kind is opened as one, whose error says what it is.
Shown const& shown_as(ContentKind const* kind) {
    auto const found = std::ranges::find(shown, kind, &Shown::kind);
    return found == std::end(shown) ? *std::prev(found) : *found;
}

Error mixed(std::string const& path, Shown const& first) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return {Code::not_found, "there is no such file or folder", path};
    return {
        Code::invalid_argument,
        fmt::format("is not a {}, and another path is (different kinds are not shown together); "
                    "start a viewer for each kind",
                    first.kind->title),
        path};
}

bool is_npy(std::string const& path) {
    return Look(path).ending() == ".npy";
}

// What says how a stream is heard says nothing of files.
Status check_stream_options(Command const& c) {
    if (c.live || std::ranges::any_of(c.data.paths, is_stream)) return {};
    std::vector<std::string> const its = StreamWords::names();
    for (Verb::Given const& one : c.given)
        if (one.option != "--channel" && std::ranges::find(its, one.option) != its.end())
            return Error{Code::invalid_argument,
                         fmt::format("{} is of streams (no path is an address like "
                                     "tcp://127.0.0.1:31001, and there is no --live) leave it out",
                                     one.option)};
    return {};
}

Status check_options(Shown const& kind, std::vector<Verb::Given> const& given) {
    std::vector<std::string_view> apply = kind.options;
    if (apply.empty()) {
        for (Verb::Given const& one : given) apply.push_back(one.option);
        std::erase_if(apply, [](std::string_view name) {
            return name == "--recover" || name == "--trust-directory";
        });
    }
    apply.insert(apply.end(), PageOptions::names.begin(), PageOptions::names.end());
    return refuse_others(given, apply, fmt::format("a {}", kind.kind->name));
}

Result<std::unique_ptr<app::Domain>> open_domain(Command const& c) {
    auto const& paths = c.data.paths;
    SLUICE_CHECK(check_stream_options(c));
    if (c.volume) {
        SLUICE_CHECK(check_options(shown_as(&kinds::volume), c.given));
        return open_volumes(c);
    }
    if (c.live || chosen_format(c.data.series.open)) {
        SLUICE_CHECK(check_options(shown_as(&kinds::scan), c.given));
        return open_scans(c);
    }
    std::vector<Shown const*> all;
    for (std::string const& path : paths)
        all.push_back(is_stream(path) ? &shown_as(&kinds::scan) : &shown_as(kind_of(path)));
    Shown const& first = **std::ranges::min_element(all);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        // An NPY file is a volume beside volumes.
        bool const along = first.open == open_volumes && is_npy(paths[i]);
        if (all[i]->open != first.open && !along) return mixed(paths[i], first);
    }
    SLUICE_CHECK(check_options(first, c.given));
    auto domain = first.open(c);
    if (!domain && first.open == open_scans && std::ranges::any_of(paths, is_npy)) {
        Error error = domain.error();
        error.message += "\n  (with --volume NPY files of 2 or 3 axes are shown as volumes)";
        return error;
    }
    return domain;
}

Status run(Command const& c) {
    SLUICE_TRY(std::unique_ptr<app::Domain> domain, open_domain(c));
    return serve_page(std::move(domain), c.page);
}

}  // namespace

void add_view(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
        "view",
        "look at scans (also live), slides, reconstructions or dose volumes in the browser");
    auto const c = std::make_shared<Command>();
    c->data.add(*app);
    c->page.add(*app);
    app->add_option("--crystal", c->crystals,
                    "of scans: CIF of a crystal, for orientations; repeat it for several phases")
        ->one_each();
    app->add_option("--calibration", c->calibration,
                    "of scans: file of `sluice stem4d calibrate`, for orientations");
    app->add_option("--session", c->session, "begin as a session that was saved in the page");
    app->add_flag("--volume", c->volume,
                  "NPY files are volumes of 2 or 3 axes (else scans, unless a .mha, .mhd or .nrrd "
                  "file or a folder of `sluice proton run` is given with them)");
    app->add_flag("--live", c->live,
                  "show paths while their files are written: a file, or scans that will appear in "
                  "a folder");
    std::string_view const known[] = {"--channel"};
    // Points that follow a lost one wait for it so long: on the screen they should come soon.
    c->stream.live.reorder = 256;
    c->stream.add(*app, "of a stream: ", known);
    add_czi_options(*app, c->slide);
    CommonUse use = DataOptions::use();
    use.json = refused("prints an address; `sluice info --json` tells what a file is");
    use.trace = refused("notes no steps");
    c->data.common.add(*app, use);
    app->footer(
        "Examples:\n"
        "  sluice view scan_master.h5\n"
        "  sluice view series/ --browser        a folder is watched for new acquisitions\n"
        "  sluice view tcp://127.0.0.1:31001 --scan 128x128    a detector's scans while they come\n"
        "  sluice view --live /data/today       scans that appear in a folder, while they grow\n"
        "  sluice view slide.czi slide.zarr\n"
        "  sluice view scan_master.h5 --crystal Au.cif    how its crystals lie\n"
        "  sluice view ct.mha dose.nrrd         the second one over the first\n"
        "  sluice view ct/ dose.dcm RS.dcm      of DICOM, with contours and histograms\n"
        "  sluice view dose/                    a folder of `sluice proton run`\n"
        "  sluice view result/                  what `sluice stem4d ptychography` reconstructed\n"
        "  sluice view a_master.h5 b_master.h5 --session yesterday.json\n"
        "  sluice view scan_master.h5 --print-url --port 0");
    app->callback([c, app, &exit_code] {
        c->given = app->given();
        c->loading = loading_words(c->given);
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
