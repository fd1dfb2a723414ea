// `sluice benchmark`: lists, runs, keeps and compares the benchmarks of all domains.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/benchmark_compare.h"
#include "app/cli/benchmark_run.h"
#include "app/cli/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "bench/table.h"
#include "figure/plot.h"
#include "figure/render.h"
#include "sluice/measured.h"

namespace sluice::cli {
namespace {

using bench::HistoryRow;
using bench::HistoryRun;

struct Command {
    std::vector<std::string> names;
    BenchmarkRuns runs;
    std::string history = "sluice-benchmarks.jsonl", plot;
    std::vector<int> compare;
    CommonOptions common;
};

double median_of(HistoryRow const& row) {
    return spread_of(row.rounds_s).median;
}

// Runs count from 1; those below 0 from the end.
Result<HistoryRun> run_at(std::vector<HistoryRun> const& all, int number) {
    auto const size = static_cast<int>(all.size());
    int const at = number < 0 ? size + number : number - 1;
    if (at < 0 || at >= size)
        return Error{Code::invalid_argument,
                     fmt::format("there is no run {} in this history; there are {}", number,
                                 plural(std::ssize(all), "run"))};
    return all[static_cast<std::size_t>(at)];
}

// A line for each benchmark: its first row over the runs, in parts of its first median.
Status save_plot(Command const& c, std::vector<HistoryRun> const& all) {
    constexpr figure::Rgb colours[] = {{110, 168, 254}, {255, 170, 90},  {120, 220, 140},
                                       {240, 110, 150}, {190, 150, 250}, {230, 220, 110}};
    figure::Plot plot;
    plot.title = "the first row of each benchmark, over runs";
    plot.x_label = "run";
    plot.y_label = "time over the first";
    std::vector<std::string> known;
    for (HistoryRun const& run : all)
        for (HistoryRow const& row : run.rows) {
            if (row.rival || !row.missing.empty()) continue;
            if (std::ranges::find(known, row.benchmark) != known.end()) continue;
            known.push_back(row.benchmark);
            figure::Series s;
            s.name = row.name == row.benchmark ? row.name : row.benchmark + ", " + row.name;
            s.colour = colours[plot.series.size() % std::size(colours)];
            double first = 0;
            for (std::size_t i = 0; i < all.size(); ++i) {
                HistoryRow const* const at = same_row(all[i], row);
                if (!at || at->rounds_s.empty()) continue;
                if (first == 0) first = median_of(*at);
                s.x.push_back(static_cast<double>(i + 1));
                s.y.push_back(median_of(*at) / first);
            }
            plot.series.push_back(std::move(s));
        }
    if (plot.series.empty())
        return Error{Code::invalid_argument,
                     "this history has no times to draw; name benchmarks to run them"};
    if (plot.series.size() == 1) plot.title = plot.series.front().name + ", over runs";
    return figure::save_drawing(c.plot, figure::draw_plot(plot, 480, 720),
                                provenance_of({c.history}));
}

void print_list(Command const& c, std::vector<HistoryRun> const& all) {
    for (BenchmarkEntry const& e : benchmark_entries()) say("{:<20} {}\n", e.name, e.about);
    if (all.empty()) return;
    say("\nruns in {}\n", c.history);
    int number = 0;
    for (HistoryRun const& run : all)
        say("{:>4}  {}  {}, load {:.1f}, {}\n", ++number, run.time, run.version, run.load_before,
            plural(std::ssize(run.rows), "row"));
}

Json list_json(std::vector<HistoryRun> const& all) {
    Json j{{"benchmarks", Json::array()}, {"runs", Json::array()}};
    for (BenchmarkEntry const& e : benchmark_entries())
        j["benchmarks"].push_back({{"name", e.name}, {"about", e.about}});
    for (HistoryRun const& run : all) j["runs"].push_back(to_json(run));
    return j;
}

void print_run(HistoryRun const& run) {
    say("{}, {}, load {:.1f}\n", run.version, run.processor, run.load_before);
    say("  {:<20} {:<48} {:>7} {:>10} {:>22}\n", "benchmark", "", "rounds", "median ms", "range");
    for (HistoryRow const& row : run.rows) {
        if (!row.missing.empty()) {
            say("  {:<20} {:<48} missing: {}\n", row.benchmark, row.name, row.missing);
            continue;
        }
        Spread const s = spread_of(row.rounds_s);
        say("  {:<20} {:<48} {:>7} {:>10} {:>10} to {:>8}\n", row.benchmark, row.name,
            row.rounds_s.size(), bench::milliseconds(s.median), bench::milliseconds(s.min),
            bench::milliseconds(s.max));
    }
}

Status run_them(Command& c) {
    SLUICE_TRY(c.runs.entries, find_benchmarks(c.names));
    // A history that cannot be read is told before minutes are spent.
    SLUICE_TRY([[maybe_unused]] auto const before, bench::load_history(c.history));
    ProgressBar bar("measuring", ProgressBar::Counts::steps);
    c.runs.progress = bar.callback();
    SLUICE_TRY(auto const made, run_benchmarks(c.runs));
    bar.clear();
    Json all = Json::array();
    for (HistoryRun const& run : made) {
        SLUICE_CHECK(bench::add_to_history(c.history, run));
        if (c.common.json)
            all.push_back(to_json(run));
        else
            print_run(run);
    }
    if (c.common.json) say("{}\n", text_of(Json{{"runs", all}}));
    if (made.size() == 2 && !c.common.json) {
        say("\n");
        print_comparison(made[1], made[0]);
    }
    return {};
}

Status run(Command& c) {
    if (!c.names.empty()) SLUICE_CHECK(run_them(c));
    SLUICE_TRY(auto const all, bench::load_history(c.history));
    if (!c.plot.empty()) SLUICE_CHECK(save_plot(c, all));
    if (!c.compare.empty()) {
        if (c.compare.size() != 2)
            return Error{Code::invalid_argument,
                         "--compare takes two runs, as in --compare=-2,-1: the last but one and "
                         "the last"};
        SLUICE_TRY(HistoryRun const a, run_at(all, c.compare[0]));
        SLUICE_TRY(HistoryRun const b, run_at(all, c.compare[1]));
        if (c.common.json)
            say("{}\n", text_of(comparison_json(a, b)));
        else
            print_comparison(a, b);
        return {};
    }
    if (!c.names.empty() || !c.plot.empty()) return {};
    if (c.common.json)
        say("{}\n", text_of(list_json(all)));
    else
        print_list(c, all);
    return {};
}

}  // namespace

void add_benchmark(Verb const& program, int& exit_code) {
    Verb const app = program.add_subcommand(
        "benchmark", "times what the domains do, keeps the runs and compares them");
    auto const c = std::make_shared<Command>();
    app->add_option("names", c->names, "of benchmarks, or all; without one they are listed");
    app->add_option("--rounds", c->runs.rounds, "rounds of each")
        ->check(in_range(1, 1000))
        ->capture_default_str();
    app->add_option("--history", c->history, "file to which a run adds a line of JSON")
        ->capture_default_str();
    app->add_option("--compare", c->compare,
                    "two runs of the history by their numbers, from 1, or from the end: -2,-1")
        ->delimiter(',');
    app->add_option("--beside", c->runs.beside,
                    "another build of the program: its rounds and ours take turns");
    app->add_option("--plot", c->plot, "draw the history as x.svg, x.png or x.pdf");
    app->add_option("--slide", c->runs.slide, "of the benchmark `slide`");
    app->add_option("--folder", c->runs.folder,
                    "where input is made, and removed [the system's temporary folder]");
    c->common.add(*app, {.threads = refused("runs the commands as they are usually run"),
                         .device = refused("runs on the processor only"),
                         .json = applies(),
                         .memory_limit = refused("takes input of fixed sizes"),
                         .trace = refused("notes no steps; the verbs that it times do")});
    app->footer(
        "What cannot run, such as a benchmark without its input, is a row that says why. Rivals "
        "in\n"
        "Python run by `./dev bench`.\n"
        "Examples:\n"
        "  sluice benchmark\n"
        "  sluice benchmark stem4d-load proton\n"
        "  sluice benchmark all --beside old/sluice\n"
        "  sluice benchmark --compare=-2,-1\n"
        "  sluice benchmark --plot history.svg");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
