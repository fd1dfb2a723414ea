// sluice music selftest: whether separating gives the right numbers on this machine.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/cli/music/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "sluice/music_selftest.h"

namespace sluice::cli {
namespace {

struct Command {
    music::SelfTestOptions options;
    std::string config;
    CommonOptions common;
};

Json to_json(music::SelfTest const& t) {
    Json out{{"good", t.good()},
             {"model", t.model},
             {"device", t.device},
             {"threads", t.threads},
             {"multiplies_bf16", t.multiplies_bf16},
             {"capabilities", t.capabilities}};
    for (music::SelfTest::Twin const& twin : t.twins) {
        Json stages = Json::array();
        for (auto const& s : twin.stages)
            stages.push_back(
                {{"stage", s.name}, {"snr_db", s.snr_db}, {"largest", s.largest}, {"rms", s.rms}});
        out["beside_slow_network"].push_back({{"precision", twin.precision},
                                              {"good", twin.good()},
                                              {"must_db", twin.must_db},
                                              {"stages", stages}});
    }
    for (music::SelfTest::Whole const& w : t.wholes)
        out["chunk"].push_back({{"precision", w.precision},
                                {"load_seconds", w.load_s},
                                {"first_seconds", w.first_s},
                                {"second_seconds", w.second_s},
                                {"same_bits_twice", w.repeats},
                                {"convolutions", w.convolutions},
                                {"snr_db_beside_fp32", w.snr_db ? Json(*w.snr_db) : Json()},
                                {"planned_bytes", w.planned_bytes},
                                {"resident_bytes_before", w.before_bytes},
                                {"resident_bytes_after", w.after_bytes}});
    out["notes"] = t.notes;
    return out;
}

// A precision may have no stage of its own somewhere.
std::string decibels_of(music::SelfTest::Twin const& twin, std::string const& stage) {
    for (auto const& s : twin.stages)
        if (s.name == stage) return fmt::format("{:.1f}", s.snr_db);
    return "";
}

void print(music::SelfTest const& t) {
    std::string const& convolutions = t.wholes.front().convolutions;
    if (convolutions.empty())
        say("{}, {}; {}\n", t.device, plural(t.threads, "thread"),
            t.capabilities.empty()
                ? "multiplies fp32 only"
                : fmt::format("multiplies fp32, {}", fmt::join(t.capabilities, ", ")));
    else
        say("{}, by {}\n", t.device, convolutions);
    say("\na small network beside the slow one in double, dB of signal over difference\n  {:<34}",
        "stage");
    for (auto const& twin : t.twins) say("{:>8}", twin.precision);
    say("\n");
    for (auto const& [name, snr_db, largest, rms] : t.twins.front().stages) {
        say("  {:<34}", name);
        for (auto const& twin : t.twins) say("{:>8}", decibels_of(twin, name));
        say("\n");
    }
    for (auto const& twin : t.twins)
        say("  {}: {} (the stems must reach {:.0f} dB)\n", twin.precision,
            twin.good() ? "good" : "NOT GOOD", twin.must_db);
    say("\na chunk of {}\n  {:<10}{:>8}{:>10}{:>10}{:>14}{:>12}{:>14}\n", t.model, "", "load s",
        "first s", "second s", "beside fp32", "planned GB", "resident GB");
    for (auto const& w : t.wholes)
        say("  {:<10}{:>8.2f}{:>10.2f}{:>10.2f}{:>14}{:>12.2f}{:>7.2f} to {:.2f}{}\n", w.precision,
            w.load_s, w.first_s, w.second_s, w.snr_db ? fmt::format("{:.1f} dB", *w.snr_db) : "",
            w.planned_bytes / 1e9, w.before_bytes / 1e9, w.after_bytes / 1e9,
            w.repeats ? "" : "  NOT THE SAME BITS TWICE");
    for (std::string const& note : t.notes) say("note: {}\n", note);
    say("\n{}\n",
        t.good() ? "all is good" : "something is wrong: please report it with these lines");
}

Status run(Command& c, int& exit_code) {
    if (!c.config.empty()) c.options.config = c.config;
    SLUICE_TRY(c.options.device, c.common.chosen_device());
    SLUICE_TRY(music::SelfTest const t, music::self_test(c.options));
    if (c.common.json)
        say("{}\n", text_of(to_json(t)));
    else
        print(t);
    if (!t.good()) exit_code = 1;
    return {};
}

}  // namespace

void add_music_selftest(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
        "selftest", "whether separating gives the right numbers on this machine");
    auto const c = std::make_shared<Command>();
    app->add_option("model", c->options.model, "a model; else one without training, see --like");
    app->add_option("--config", c->config, "the YAML that was published with the model");
    app->add_option("--like", c->options.like, "a published configuration, as `synth` lists them")
        ->capture_default_str();
    app->add_option("--song", c->options.sound, "the chunk is the middle of this song");
    c->common.add(*app, {.threads = applies(),
                         .device = applies("where the network runs: cpu, cuda, cuda:1 or best"),
                         .json = applies(),
                         .memory_limit = refused("measures what a chunk takes"),
                         .trace = refused("notes no steps; `sluice music separate` does")});
    app->footer(
        "A small network without training goes through the same code as yours, and each of its\n"
        "stages is compared with plain loops in double. Then a chunk goes through the model "
        "twice.\n"
        "Exit code 1: something is wrong. How near bf16 is to fp32 depends on the model: with "
        "yours\n"
        "and --song you measure it on your music.\n"
        "Examples:\n"
        "  sluice music selftest\n"
        "  sluice music selftest --device cuda\n"
        "  sluice music selftest model.ckpt --config model.yaml --song song.flac");
    app->callback([c, &exit_code] {
        if (auto s = run(*c, exit_code); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
