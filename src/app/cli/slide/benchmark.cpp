// `sluice slide benchmark`: ways of reading a slide, in the same interleaved rounds.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/shell/benchmark_output.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/benchmark_jobs.h"
#include "app/cli/slide/benchmark_judge.h"
#include "app/cli/slide/benchmark_report.h"
#include "app/cli/slide/command.h"
#include "app/cli/slide/options.h"
#include "base/file.h"
#include "bench/machine.h"
#include "domain/slide/bench_rules.h"
#include "domain/slide/profile/cache.h"
#include "domain/slide/profile/order.h"
#include "sluice/device.h"

namespace sluice::cli {
namespace {

struct Command {
    SlideOptions slide;
    Thoroughness depth = Thoroughness::quick;
    std::vector<int> workers;
    std::vector<index> batches;
    std::vector<Pattern> patterns = {Pattern::mosaic, Pattern::rectangles, Pattern::tiles,
                                     Pattern::regions};
    std::vector<std::string> beside = {"pylibCZIrw", "pylibCZIrw with cache", "aicspylibczi",
                                       "czifile"};
    std::string rivals, driver, out, plot;
    int rounds = 0;
    std::optional<index> max_tiles;
    bool cold = false;
    CommonOptions common;
};

Settings settings_of(Command const& c) {
    Settings s;
    s.depth = c.depth;
    s.processors = Device::cpu().threads();
    s.workers = c.workers;
    s.batches = c.batches;
    s.rivals = c.rivals;
    s.driver = c.driver;
    s.beside = c.beside;
    constexpr std::array rounds = {3, 5, 7};
    s.rounds = c.rounds > 0 ? c.rounds : rounds[static_cast<std::size_t>(c.depth)];
    constexpr std::array<index, 3> tiles = {36, 100, 0};
    s.max_tiles = c.max_tiles.value_or(tiles[static_cast<std::size_t>(c.depth)]);
    s.cold = c.cold || c.depth == Thoroughness::full;
    s.defaults();
    return s;
}

// What all ways read; the slide is closed again before the processes are made.
Result<Workload> workload_of(Command const& c, Settings const& s, Json& subject) {
    Workload load;
    load.path = c.slide.path;
    load.open = c.slide.czi;
    SLUICE_TRY(slide::Slide const slide, c.slide.open_czi("slide benchmark"));
    SLUICE_TRY(slide::Selection const region, c.slide.region_of(slide));
    load.region = slide::middle_of(slide, region, 0, s.max_tiles);
    load.region.rect = slide::extent_of(slide, load.region);
    SLUICE_TRY(slide::Shape const shape, slide.shape(load.region, 0));
    load.tiles = slide::tiles_of(slide, load.region, 0);
    if (load.tiles.empty())
        return Error{Code::not_found, "there are no tiles in this region; see sluice info",
                     c.slide.path};
    for (std::int32_t const t : load.tiles)
        load.rectangles.push_back(slide.tiles()[static_cast<std::size_t>(t)].rect);
    load.squares = slide::random_squares(*load.region.rect, 512, 100);
    load.small = slide::random_squares(*load.region.rect, 16, 2000);
    subject = {{"path", load.path},
               {"shape", {shape.height, shape.width, shape.samples}},
               {"dtype", name_of(shape.sample)},
               {"tiles", std::ssize(load.tiles)},
               {"tiles_in_region", std::ssize(slide::tiles_of(slide, region, 0))},
               {"rivals", Json::object()}};
    return load;
}

// The disk only counts where the system forgets the file.
Status time_cold(std::vector<bench::Contestant>& all, std::vector<Job>& jobs, Workload const& load,
                 Settings const& s, bench::Report& report) {
    SLUICE_CHECK(forget(jobs, load.path));
    SLUICE_TRY(double const cached, slide::forget_file(load.path));
    if (cached >= slide::mostly_cached) {
        report.notes.push_back(
            fmt::format("the system kept {:.0f} % of the file in its cache although asked to "
                        "forget it: the disk was not measured",
                        100 * cached));
        return {};
    }
    for (bench::Contestant& who : all) {
        who.contest += ", from the disk";
        who.details["cold"] = true;
        who.prepare = [&] { return forget(jobs, load.path); };
        who.answer = {};  // has been compared
    }
    ProgressBar progress("from the disk", ProgressBar::Counts::steps);
    return bench::measure(report, all, {0, s.rounds, progress.callback()});
}

Status save(Command const& c, bench::Report const& report, std::vector<Job> const& jobs) {
    auto const write = [](std::string const& path, std::string const& text) -> Status {
        SLUICE_TRY(NewFile file, NewFile::create(path));
        SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
        return file.commit();
    };
    if (!c.out.empty()) SLUICE_CHECK(write(c.out, text_of(to_json(report)) + "\n"));
    if (!c.plot.empty()) SLUICE_CHECK(write(c.plot, plot(report, jobs)));
    return {};
}

// Everything that is measured, and what follows from it.
Status measure(Command const& c, Settings const& s, std::vector<Job>& jobs, Workload const& load,
               bench::Report& report) {
    std::vector<bench::Contestant> all = contestants_of(jobs, load);
    ProgressBar comparing("comparing the answers", ProgressBar::Counts::steps);
    ProgressBar measuring("measuring", ProgressBar::Counts::steps);
    // Comparing the answers is the round that warms up.
    SLUICE_CHECK(
        bench::measure(report, all, {0, s.rounds, measuring.callback()}, comparing.callback()));
    // Before the cold rounds, which leave an empty cache.
    SLUICE_TRY(slide::Facts facts, facts_of_jobs(jobs, load));
    if (s.cold) SLUICE_CHECK(time_cold(all, jobs, load, s, report));
    finish(report, jobs);
    facts.processors = s.processors;
    judge(std::move(facts), jobs, report);
    return save(c, report, jobs);
}

Status run(Command const& c) {
    if (!c.plot.empty() && !c.plot.ends_with(".svg"))
        return Error{
            Code::invalid_argument,
            fmt::format("--plot '{}' has no ending that is known; end it in .svg", c.plot)};
    Settings const s = settings_of(c);
    std::vector<Pattern> const& which = c.patterns;
    if (!c.batches.empty() && std::find(which.begin(), which.end(), Pattern::tiles) == which.end())
        return Error{
            Code::invalid_argument,
            "--batch belongs to the pattern tiles, which --pattern leaves out; give --pattern "
            "tiles"};
    bench::Report report;
    report.benchmark = "slide";
    report.machine = bench::machine(c.slide.path);
    report.settings = to_json(s);
    SLUICE_TRY(Workload const load, workload_of(c, s, report.subject));
    SLUICE_TRY(std::vector<Job> jobs,
               jobs_of(load, which, s, report.subject["rivals"], report.notes));
    SLUICE_CHECK(measure(c, s, jobs, load, report));
    print(report, layout_of(report, jobs), c.common.json);
    return {};
}

}  // namespace

void add_slide_benchmark(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("benchmark", "ways of reading a slide, measured side by side");
    auto const c = std::make_shared<Command>();
    c->slide.add_opening(*app);
    c->slide.add_selection(*app);
    // Mapping is one of the ways that are compared.
    app->remove_option(app->get_option("--mmap"));
    app->add_flag_callback(
        "--quick", [c] { c->depth = Thoroughness::quick; },
        "one thread and all processors, 36 tiles, 3 rounds [default]");
    app->add_flag_callback(
        "--medium", [c] { c->depth = Thoroughness::medium; },
        "also batches, processes and mmap; 100 tiles, 5 rounds");
    app->add_flag_callback(
        "--full", [c] { c->depth = Thoroughness::full; },
        "also the disk, and the whole region, 7 rounds");
    app->add_word("--pattern", c->patterns, "what is read; several with commas");
    app->add_option("--workers,--threads", c->workers, "numbers of threads and processes")
        ->delimiter(',')
        ->check(in_range(1, 256));
    app->add_option("--batch", c->batches,
                    "numbers of tiles of one call, for the pattern tiles; with --workers each with "
                    "each")
        ->delimiter(',')
        ->check(in_range(1, 1000000));
    app->add_option("--max-tiles", c->max_tiles, "so many tiles of the middle; 0: all")
        ->check(not_negative());
    app->add_option("--rounds", c->rounds, "rounds, of which the median is told")
        ->check(in_range(1, 1000));
    app->add_flag("--cold", c->cold, "also with the system's cache emptied of the file");
    app->add_option("--rivals", c->rivals,
                    "a Python that has pylibCZIrw, aicspylibczi or czifile: they run in the same "
                    "rounds");
    app->add_option("--driver", c->driver, "bench/slide/rivals.py, which speaks to them")
        ->needs("--rivals");
    app->add_option("--beside", c->beside, "which of them")
        ->delimiter(',')
        ->check(one_of(c->beside))
        ->capture_default_str()
        ->needs("--rivals");
    app->add_option("--out", c->out, "write JSON here, too");
    app->add_option("--plot", c->plot, "write a bar chart as x.svg");
    c->common.add(*app, {.threads = own(),
                         .json = applies(),
                         .memory_limit = refused("holds the region that it reads; see --max-tiles"),
                         .trace = refused("notes no steps; `sluice slide profile` does")});
    app->footer(
        "Every way reads the same pixels in a process of its own; the answers are compared before\n"
        "anything is timed, and the rounds of all ways are interleaved. The first channel is read\n"
        "where none is given.\n\n"
        "Examples:\n"
        "  sluice slide benchmark x.czi\n"
        "  sluice slide benchmark x.czi --medium --scene 0 --plot bars.svg --out result.json\n"
        "  sluice slide benchmark x.czi --pattern small --max-tiles 0\n"
        "  sluice slide benchmark x.czi --rivals venv/bin/python --driver bench/slide/rivals.py");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
