// sluice music benchmark: how long a chunk takes on this machine, and what that means for a song.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/music/command.h"
#include "app/cli/shell/benchmark_output.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "bench/machine.h"
#include "bench/serve.h"
#include "device/copy_bandwidth.h"
#include "domain/music/benchmark/chunks.h"
#include "domain/music/embedded.h"
#include "domain/music/inspect_weights.h"
#include "domain/music/synthetic.h"
#include "domain/music/words.h"
#include "figure/plot.h"
#include "figure/render.h"
#include "sluice/save.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string model, config, like = "instvoc-hq", rule = "msst", serve, plot;
    std::vector<music::Precision> precisions = {music::Precision::fp32};
    std::vector<int> threads = {0};
    std::vector<index> batches = {1};
    int rounds = 5;
    CommonOptions common;
};

constexpr std::array overlaps = {1, 2, 4, 8};

Result<music::BenchmarkModel> model_of(Command const& c) {
    music::BenchmarkModel m;
    if (c.model.empty()) {
        SLUICE_TRY(music::ModelConfig config, music::published_config(c.like));
        SLUICE_TRY(music::Network const network, music::network_of(config, c.like));
        m.name = c.like + " without training";
        m.weights = music::synthetic_weights(network, 1);
        SLUICE_TRY(m.inspection, music::inspect_weights(m.weights, m.name, std::move(config)));
        return m;
    }
    m.name = c.model;
    std::optional<std::string> config;
    if (!c.config.empty()) config = c.config;
    SLUICE_TRY(m.weights, weights::open_weights(c.model));
    SLUICE_TRY(std::optional<music::ModelConfig> const given,
               music::config_of(m.weights, c.model, config));
    SLUICE_TRY(m.inspection, music::inspect_weights(m.weights, c.model, given));
    return m;
}

// The chunk as the rule cuts it; a model whose rules agree has one.
Result<music::Chunk> chunk_of(Command const& c, music::Inspection const& model) {
    auto const found = std::ranges::find(model.chunks, c.rule, &music::Chunk::rule);
    return found != model.chunks.end() ? *found : model.chunks.front();
}

double realtime(bench::Measured const& m, int overlap) {
    return overlap * m.item_s() / m.details["audio_seconds"].get<double>();
}

bench::Layout layout() {
    using bench::Measured;
    bench::Layout l;
    l.item = "chunk";
    l.columns = {{"GFLOP/s",
                  [](Measured const& m) {
                      return fmt::format("{:.0f}",
                                         m.details["flop"].get<double>() / m.item_s() / 1e9);
                  }},
                 {"load s",
                  [](Measured const& m) {
                      return fmt::format("{:.2f}", m.details["load_seconds"].get<double>());
                  }},
                 {"GB", [](Measured const& m) {
                      return fmt::format("{:.2f}", m.details["memory_bytes"].get<double>() / 1e9);
                  }}};
    for (int const overlap : overlaps)
        l.columns.push_back({fmt::format("RTF {}", overlap), [overlap](Measured const& m) {
                                 return fmt::format("{:.2f}", realtime(m, overlap));
                             }});
    l.legend =
        "RTF n: seconds of work for a second of song at overlap n, by the chunks alone: n times a\n"
        "chunk over its length; below 1 is faster than the song. GFLOP/s: convolutions and linear\n"
        "layers as they are written down, however they are computed. load s: until the first "
        "chunk\n"
        "can begin. GB: weights and maps, whatever the length of the song.\n";
    return l;
}

Status save_plot(Command const& c, bench::Report const& report) {
    figure::Plot plot;
    plot.title = "real-time factor";
    plot.x_label = "overlap";
    plot.y_label = "seconds for a second of song";
    constexpr figure::Rgb colours[] = {
        {110, 168, 254}, {255, 170, 90}, {120, 220, 140}, {240, 110, 150}, {190, 150, 250}};
    for (bench::Measured const& m : report.results) {
        figure::Series s;
        s.name = m.name;
        s.colour = colours[plot.series.size() % std::size(colours)];
        for (int overlap = 1; overlap <= 8; ++overlap) {
            s.x.push_back(overlap);
            s.y.push_back(realtime(m, overlap));
        }
        plot.series.push_back(std::move(s));
    }
    plot.series.push_back({"as long as the song", {1, 8}, {1, 1}, {150, 150, 150}, 1});
    Provenance provenance =
        provenance_of(c.model.empty() ? std::vector<std::string>{} : std::vector{c.model});
    provenance.add("machine", bench::machine_line(report.machine));
    return figure::save_drawing(c.plot, figure::draw_plot(plot, 480, 720), provenance);
}

Result<music::BenchmarkGrid> grid_of(Command const& c) {
    music::BenchmarkGrid grid;
    grid.precisions = c.precisions;
    SLUICE_TRY(grid.device, c.common.chosen_device());
    grid.threads = c.threads;
    grid.batches = c.batches;
    return grid;
}

Status benchmark(Command const& c) {
    SLUICE_TRY(music::BenchmarkModel const model, model_of(c));
    SLUICE_TRY(music::Chunk const chunk, chunk_of(c, model.inspection));
    SLUICE_TRY(music::BenchmarkGrid const grid, grid_of(c));
    SLUICE_TRY(auto contest, music::chunk_contest(model, chunk, grid));
    bench::Report report;
    report.benchmark = "music";
    report.machine = bench::machine(c.model);
    report.settings = {{"rounds", c.rounds},
                       {"device", grid.device.name()},
                       {"threads", c.threads},
                       {"batches", c.batches}};
    report.subject = {{"model", model.name},
                      {"chunk_samples", chunk.samples},
                      {"sample_rate", model.inspection.sample_rate},
                      {"flop", contest.flop},
                      {"assumed", music::assumptions_of(model.inspection)}};
    ProgressBar progress("measuring", ProgressBar::Counts::steps);
    SLUICE_CHECK(bench::measure(
        report, contest.all,
        {1, c.rounds, [&](std::uint64_t done, std::uint64_t all) { return progress(done, all); }}));
    bench::add_doubts(report);
    if (!c.plot.empty()) SLUICE_CHECK(save_plot(c, report));
    bench::Layout table = layout();
    table.heading = fmt::format(
        "{}; a chunk of {} samples, {:.3f} s, {:.3f} TFLOP\n", model.name, chunk.samples,
        static_cast<double>(chunk.samples) / static_cast<double>(model.inspection.sample_rate),
        contest.flop / 1e12);
    if (auto const all = music::assumptions_of(model.inspection); !all.empty())
        table.heading += fmt::format("assumed, since neither the tensors nor the YAML say it: {}\n",
                                     fmt::join(all, ", "));
    print(report, table, c.common.json);
    return {};
}

// For bench/music/run.py: the mix as FILE, and the stems of a precision as PRECISION-FILE.
Status serve(Command const& c) {
    SLUICE_TRY(music::BenchmarkModel const model, model_of(c));
    SLUICE_TRY(music::Chunk const chunk, chunk_of(c, model.inspection));
    SLUICE_TRY(music::BenchmarkGrid const grid, grid_of(c));
    SLUICE_TRY(auto contest, music::chunk_contest(model, chunk, grid));
    SLUICE_CHECK(save_npy(c.serve, Array<float>{{2, chunk.samples}, contest.mix}));
    std::vector<bench::Contestant> jobs = contest.all;
    for (music::Precision const p : grid.precisions) {
        bench::Contestant save;
        save.name = fmt::format("save {}", config::word_of(p));
        save.run = bench::timed([&contest, &c, p, samples = chunk.samples]() -> Status {
            SLUICE_TRY(std::vector<float> stems, contest.stems(p));
            index const rows = static_cast<index>(stems.size()) / samples;
            return save_npy(fmt::format("{}.{}.npy", c.serve, config::word_of(p)),
                            Array<float>{{rows, samples}, std::move(stems)});
        });
        jobs.push_back(std::move(save));
    }
    Json ready{{"samples", chunk.samples},
               {"sample_rate", model.inspection.sample_rate},
               {"flop", contest.flop}};
    for (bench::Contestant const& who : contest.all) ready["details"][who.name] = who.details;
    return bench::serve(jobs, ready, std::cin, std::cout);
}

}  // namespace

void add_music_benchmark(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("benchmark", "how long separating takes on this machine");
    auto const c = std::make_shared<Command>();
    app->add_option("model", c->model, "a model; else one without training, see --like");
    app->add_option("--config", c->config, "the YAML that was published with the model");
    app->add_option("--like", c->like, "a published configuration, as `synth` lists them")
        ->capture_default_str();
    app->add_option("--rule", c->rule, "whose chunks: msst or uvr, where they differ")
        ->check(one_of({"msst", "uvr"}))
        ->capture_default_str();
    app->add_word("--precision", c->precisions, "tf32: of GPUs; several with commas");
    app->add_option("--threads", c->threads, "0: one per processor; several with commas")
        ->delimiter(',')
        ->check(in_range(0, 1024))
        ->capture_default_str();
    app->add_option("--batch", c->batches, "chunks at once; several with commas")
        ->delimiter(',')
        ->check(in_range(1, 64))
        ->capture_default_str();
    app->add_option("--rounds", c->rounds, "rounds in turns, of which the median is told")
        ->check(in_range(1, 1000))
        ->capture_default_str();
    app->add_option("--plot", c->plot, "real-time factors over the overlap, as .png, .svg or .pdf");
    app->add_option("--serve", c->serve,
                    "chunks for another program (bench/music/run.py), which has this file saved");
    c->common.add(*app, {.threads = own(),
                         .device = applies("cpu, cuda, cuda:1 or best"),
                         .json = applies(),
                         .memory_limit = refused("measures what a chunk takes"),
                         .trace = refused("notes no steps; `sluice music separate` does")});
    app->footer(
        "Before times are taken every network separates a chunk: that is the warm-up, and answers\n"
        "of other threads and batches must have the same bits.\n"
        "Examples:\n"
        "  sluice music benchmark\n"
        "  sluice music benchmark model.ckpt --config model.yaml --precision fp32,bf16\n"
        "  sluice music benchmark --device cuda --precision fp32,tf32\n"
        "  sluice music benchmark --like drumsep --threads 1,2 --batch 1,2 --plot times.png");
    app->callback([c, &exit_code] {
        if (auto s = c->serve.empty() ? benchmark(*c) : serve(*c); !s)
            exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
