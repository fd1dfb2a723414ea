// sluice proton benchmark: how long steps and beams take, on grids that others have told theirs of.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/cli/proton/command.h"
#include "app/cli/shell/benchmark_output.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "bench/machine.h"
#include "bench/serve.h"
#include "device/copy_bandwidth.h"
#include "domain/proton/benchmark/contests.h"
#include "domain/proton/words.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string serve;
    proton::Precision precision = proton::Precision::f32;
    int rounds = 20;
    CommonOptions common;
};

// A whole beam takes as long as a hundred steps.
constexpr int beam_rounds = 7;

Result<proton::BenchmarkRun> run_of(Command const& c) {
    SLUICE_TRY(Device const device, c.common.chosen_device());
    return proton::BenchmarkRun{device, c.precision};
}

bench::Layout layout() {
    using bench::Measured;
    auto const detail = [](char const* key, double scale, char const* format) {
        return [=](Measured const& m) {
            double const value = m.details.value(key, 0.0);
            return value > 0 ? fmt::format(fmt::runtime(format), scale * value) : std::string();
        };
    };
    bench::Layout l;
    l.item = "step";
    l.head = "grid (E, angle, z, x)";
    l.columns = {{"M cells", detail("cells", 1e-6, "{:.2f}")},
                 {"arrays", detail("memory_arrays", 1, "{:.2f}")},
                 {"told ms", detail("told_s", 1e3, "{:.0f}")}};
    l.legend =
        "dense step: every cell has weight and every direction may fly; GB/s: the state read and\n"
        "written once, beside copying memory; arrays: memory, in sizes of the state; told: what\n"
        "Smatrix_2D tells of its own step. A beam from a point: steps 2 to 41 at 70 MeV, empty\n"
        "parts left out. Marched beams have straggling and reactions; that of 150 MeV goes "
        "through\n"
        "water in steps of 0.5 mm and 0.5 degrees and has maps of LET.\n";
    return l;
}

// The same kinds of rows together, whichever grid they were measured on.
void sort_by_contest(std::vector<bench::Measured>& results) {
    std::vector<std::string> order;
    for (bench::Measured const& m : results)
        if (std::ranges::find(order, m.contest) == order.end()) order.push_back(m.contest);
    std::ranges::stable_sort(results, {}, [&](bench::Measured const& m) {
        return std::ranges::find(order, m.contest) - order.begin();
    });
}

Status benchmark(Command const& c) {
    SLUICE_TRY(proton::BenchmarkRun const run, run_of(c));
    proton::Physics const physics(proton::WaterTable::icru90);
    bench::Report report;
    report.benchmark = "proton";
    report.machine = bench::machine();
    report.settings = {{"rounds", c.rounds}, {"threads", run.device.threads()}};
    report.subject = {{"precision", config::word_of(c.precision)}, {"device", run.device.name()}};
    report.copy_bandwidth = copy_bandwidth(run.device);
    ProgressBar progress("measuring", ProgressBar::Counts::steps);
    // Grids one after the other: the largest needs most of a cache, and some of them much memory.
    std::uint64_t done = 0;
    constexpr std::uint64_t stages = proton::benchmark_grids.size() + 1;
    auto const stage = [&](std::uint64_t part, std::uint64_t whole) {
        return progress(done * whole + part, stages * whole);
    };
    for (proton::BenchmarkGrid const& grid : proton::benchmark_grids) {
        SLUICE_TRY(auto all, proton::grid_contestants(physics, grid, run));
        SLUICE_CHECK(bench::measure(report, all, {1, c.rounds, stage}));
        ++done;
    }
    SLUICE_TRY(bench::Contestant const beam, proton::beam_contestant(physics, run));
    std::vector<bench::Contestant> last{beam};
    SLUICE_CHECK(bench::measure(report, last, {1, std::min(c.rounds, beam_rounds), stage}));
    bench::add_doubts(report);
    sort_by_contest(report.results);
    bench::Layout table = layout();
    table.heading = fmt::format("{} on {}, {}\n", config::word_of(c.precision), run.device.name(),
                                plural(run.device.threads(), "thread"));
    print(report, table, c.common.json);
    return {};
}

// For bench/proton/run.py: steps on the largest grid, and its state in the file that is asked for.
Status serve(Command const& c) {
    SLUICE_TRY(proton::BenchmarkRun const run, run_of(c));
    proton::Physics const physics(proton::WaterTable::icru90);
    proton::BenchmarkGrid const& grid = proton::benchmark_grids[0];
    SLUICE_TRY(proton::DenseSolver made, proton::populated(physics, grid, run));
    auto const solver = std::make_shared<proton::DenseSolver>(std::move(made));
    proton::DenseOperators const o = solver->operators();
    bench::Contestant step = proton::step_contestant(solver, grid, run), save;
    step.name = "step";
    save.name = "save";
    save.run = bench::timed([&]() -> Status {
        SLUICE_TRY(std::vector<double> const psi, solver->state());
        return save_npy(c.serve,
                        Array<float>{{grid.energies * grid.angles, grid.planes * grid.columns},
                                     {psi.begin(), psi.end()}});
    });
    Json const ready{{"shape", {grid.energies, grid.angles, grid.planes, grid.columns}},
                     {"energies", solver->energies()},
                     {"diffusion", o.diffusion},
                     {"passes", o.passes},
                     {"z", o.z},
                     {"x", o.x},
                     {"to", o.to},
                     {"part", o.part},
                     {"deposit", o.deposit},
                     {"device", run.device.name()},
                     {"copy_bandwidth", copy_bandwidth(run.device).value_or(0)}};
    return bench::serve({step, save}, ready, std::cin, std::cout);
}

}  // namespace

void add_proton_benchmark(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("benchmark", "how long a step and a beam take on this machine");
    auto const c = std::make_shared<Command>();
    app->add_word("--precision", c->precision, "of the state");
    app->add_option("--rounds", c->rounds, "rounds, of which the median is told")
        ->check(in_range(1, 10000))
        ->capture_default_str();
    app->add_option("--serve", c->serve,
                    "step for another program (bench/proton/run.py), which has this file saved");
    c->common.add(*app, {.threads = applies(),
                         .device = applies("reference, cpu, cpu:avx2 or cuda"),
                         .json = applies(),
                         .memory_limit = refused("has grids of fixed sizes"),
                         .trace = refused("notes no steps; `sluice proton run` does")});
    app->footer(
        "Examples:\n"
        "  sluice proton benchmark\n"
        "  sluice proton benchmark --threads 1 --precision f64\n"
        "  sluice proton benchmark --device cuda --json");
    app->callback([c, &exit_code] {
        if (auto s = c->serve.empty() ? benchmark(*c) : serve(*c); !s)
            exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
