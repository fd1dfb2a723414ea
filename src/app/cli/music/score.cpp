// sluice music score: how near separated stems are to the true ones.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/music/command.h"
#include "app/cli/music/stem_files.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "sluice/device.h"
#include "sluice/music_score.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string estimate, reference;
    bool quick = false;
    CommonOptions common;
};

/// JSON has no infinity: it says so as a word.
Json number(double v) {
    if (std::isnan(v)) return nullptr;
    if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
    return v;
}

Json to_json(music::BssEval const& e) {
    return {{"sdr_db", number(e.sdr)},
            {"isr_db", number(e.isr)},
            {"sir_db", number(e.sir)},
            {"sar_db", number(e.sar)}};
}

void print_json(Command const& c, std::vector<StemFiles> const& files, music::Score const& score) {
    Json stems = Json::array();
    for (std::size_t k = 0; k < files.size(); ++k) {
        music::StemScore const& s = score.stems[k];
        Json stem = {{"name", s.name},
                     {"estimate", files[k].estimate},
                     {"reference", files[k].reference},
                     {"sdr_db", number(s.sdr)},
                     {"si_sdr_db", number(s.si_sdr)}};
        if (!c.quick) {
            stem["bss_eval_median"] = to_json(s.median);
            stem["bss_eval"] = Json::array();
            for (music::BssEval const& w : s.windows) stem["bss_eval"].push_back(to_json(w));
        }
        stems.push_back(std::move(stem));
    }
    Json j = {{"stems", std::move(stems)}};
    if (!c.quick) {
        j["windows"] = score.windows;
        j["silent_windows"] = score.silent;
    }
    say("{}\n", text_of(j));
}

std::string cell(double v) {
    return std::isnan(v) ? "-" : fmt::format("{:.2f}", v);
}

/// "1 window of 1 s": of those that have a value.
std::string windows_of(audio::Sound const& sound, music::Score const& score) {
    index const count = score.windows - score.silent;
    auto const frames = static_cast<double>(sound.frames.value_or(0));
    return fmt::format("{} of {:.3g} s", plural(count, "window"),
                       std::min(1.0, frames / sound.rate));
}

void print_table(Command const& c, audio::Sound const& sound, music::Score const& score) {
    std::size_t width = 4;
    for (auto const& s : score.stems) width = std::max(width, s.name.size());
    say("{:<{}}  {:>8}  {:>8}", "stem", width, "SDR", "SI-SDR");
    if (!c.quick) say("  |  {:>8}  {:>8}  {:>8}  {:>8}", "SDR", "ISR", "SIR", "SAR");
    say("  dB\n");
    for (auto const& s : score.stems) {
        say("{:<{}}  {:>8}  {:>8}", s.name, width, cell(s.sdr), cell(s.si_sdr));
        if (!c.quick)
            say("  |  {:>8}  {:>8}  {:>8}  {:>8}", cell(s.median.sdr), cell(s.median.isr),
                cell(s.median.sir), cell(s.median.sar));
        say("\n");
    }
    if (!c.quick)
        say("left: the whole song; right: BSS Eval v4, medians of {}{}\n", windows_of(sound, score),
            score.silent ? fmt::format("; {} with a silent stem are left out", score.silent) : "");
}

Status run(Command const& c) {
    SLUICE_TRY(auto const files, pair_stems(c.estimate, c.reference));
    SLUICE_TRY(auto const samples, read_stems(files));
    std::vector<music::StemPair> pairs;
    for (std::size_t k = 0; k < files.size(); ++k)
        pairs.push_back({files[k].name, samples[k].estimate.values, samples[k].reference.values});
    ProgressBar bar("comparing", ProgressBar::Counts::steps);
    music::ScoreOptions options;
    options.bss = !c.quick;
    options.threads = Device::cpu(c.common.threads).threads();
    options.progress = bar.callback();
    audio::Sound const& sound = samples[0].reference.sound;
    SLUICE_TRY(auto const score, music::score(pairs, sound.channels, sound.rate, options));
    if (c.common.json)
        print_json(c, files, score);
    else
        print_table(c, sound, score);
    return {};
}

}  // namespace

void add_music_score(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("score", "how near stems are to the true ones");
    auto const c = std::make_shared<Command>();
    app->add_option("estimate", c->estimate, "a sound file, or a folder of stems")->required();
    app->add_option("reference", c->reference, "the true one, or a folder with the same names")
        ->required();
    app->add_flag("--quick", c->quick, "SDR and SI-SDR of the whole song only");
    c->common.add(*app, {.threads = applies(),
                         .json = applies("print JSON, with the values of each window"),
                         .memory_limit = refused("holds the stems that it compares")});
    app->footer(
        "Examples:\n"
        "  sluice music score vocals.wav true/vocals.wav\n"
        "  sluice music score stems true\n"
        "  sluice music score stems true --json > scores.json");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
