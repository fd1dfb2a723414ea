// sluice music separate: songs to stems.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/music/command.h"
#include "app/cli/music/song_files.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "domain/music/file_name.h"
#include "domain/music/separate/fields.h"
#include "domain/music/words.h"
#include "sluice/music_song.h"

namespace sluice::cli {
namespace {

struct Command {
    std::vector<std::string> songs, models, configs;
    std::string out;
    music::ModelOptions model;
    music::SongOptions options;
    CommonOptions common;
};

// The YAML beside a model has its name.
std::optional<std::string> config_beside(std::string const& model) {
    for (char const* const ending : {".yaml", ".yml"}) {
        std::filesystem::path const beside = std::filesystem::path(model).replace_extension(ending);
        std::error_code ignored;
        if (std::filesystem::exists(beside, ignored)) return beside.string();
    }
    return {};
}

Result<std::vector<music::Model>> load(Command const& c) {
    if (c.configs.size() > c.models.size())
        return Error{Code::invalid_argument,
                     fmt::format("--config is given {} times and --model {} (each model has one) "
                                 "give as many",
                                 c.configs.size(), c.models.size())};
    SLUICE_TRY(Device const device, c.common.chosen_device());
    std::vector<music::Model> models;
    for (std::size_t k = 0; k < c.models.size(); ++k) {
        music::ModelOptions o = c.model;
        o.config = k < c.configs.size() ? c.configs[k] : config_beside(c.models[k]);
        o.preset = c.options.separate.preset;
        o.device = device;
        o.threads = c.common.threads;
        if (c.common.memory_limit > 0) o.memory_limit = c.common.memory_limit;
        SLUICE_TRY(music::Model model, music::Model::load(c.models[k], o));
        models.push_back(std::move(model));
    }
    return models;
}

double seconds_of(music::SongReport const& r) {
    return static_cast<double>(r.frames) / r.rate;
}

Json to_json(music::SongReport const& r) {
    Json j = {{"song", r.song}, {"folder", r.folder}, {"skipped", r.skipped}};
    if (r.skipped) return j;
    Json stems = Json::array();
    for (music::StemFile const& s : r.stems)
        stems.push_back(
            {{"name", s.name}, {"path", s.path}, {"peak", s.peak}, {"beyond", s.beyond}});
    j.update({{"rate", r.rate},
              {"channels", r.channels},
              {"frames", r.frames},
              {"written", r.written},
              {"stems", std::move(stems)},
              {"gain", r.gain},
              {"sums_exactly", r.sums_up},
              {"chunks", r.chunks},
              {"seconds", r.seconds},
              {"real_time_factor", r.seconds / seconds_of(r)}});
    return j;
}

void print(music::SongReport const& r, music::Clip clip) {
    if (r.skipped) {
        say("{}: all stems are there\n", r.folder);
        return;
    }
    say("{}: {:.1f} s in {:.1f} s, real-time factor {:.2f}; {}\n", r.folder, seconds_of(r),
        r.seconds, r.seconds / seconds_of(r), r.written);
    for (music::StemFile const& s : r.stems) {
        say("  {:<16}peak {:.3f}\n", s.name, s.peak);
        if (s.beyond == 0 || clip == music::Clip::rescale) continue;
        bool const kept = clip == music::Clip::none && r.written.ends_with("float");
        say(stderr, "sluice: {}: {} samples are beyond full scale and were {}{}\n", s.path,
            s.beyond, kept ? "kept" : "clipped",
            kept ? "" : "; --clip rescale or --bits float keeps them");
    }
    if (r.gain != 1) say("  all stems were multiplied by {:.6f}\n", r.gain);
}

/// The models of one command, and the songs that were done.
struct Work {
    Command const& command;
    Trace* trace = nullptr;
    std::vector<music::Model*> models = {};
    Json reports = Json::array(), failed = Json::array();
    std::vector<std::string> folders = {};  ///< of songs that were done
    int exit_code = 0;

    void fail(std::string const& song, Error const& e) {
        failed.push_back({{"song", song}, {"message", e.message}});
        exit_code = report(e);
    }
};

// Names that differ on one disk may be the same on another.
Status check_folder(Work const& work, SongFile const& song) {
    std::error_code ignored;
    for (std::string const& other : work.folders)
        if (music::are_one_file(other, song.folder) &&
            std::filesystem::equivalent(other, song.folder, ignored))
            return Error{Code::invalid_argument,
                         fmt::format("would have its stems in {}, which is {} on this disk; "
                                     "separate them into different folders",
                                     song.folder, other),
                         song.path};
    return {};
}

Status separate(Work& work, SongFile const& song, std::string const& title) {
    SLUICE_CHECK(check_folder(work, song));
    music::SongOptions o = work.command.options;
    o.separate.trace = work.trace;
    ProgressBar bar(title, ProgressBar::Counts::sound);
    o.separate.progress = bar.callback();
    SLUICE_TRY(music::SongReport const report,
               music::separate_song(work.models, song.path, song.folder, o));
    bar.clear();
    work.folders.push_back(song.folder);
    if (work.command.common.json)
        work.reports.push_back(to_json(report));
    else
        print(report, o.clip);
    return {};
}

// What was chosen, and what it takes.
std::string line_of(music::Model const& m) {
    std::string where = fmt::format("{} threads", m.threads());
    if (m.device().remote()) where = fmt::format("on {} by {}", m.device().name(), m.chosen());
    return fmt::format("{}: {}{}, {}, about {:.2f} GB", m.name(), config::word_of(m.arithmetic()),
                       m.why().empty() ? "" : fmt::format(" ({})", m.why()), where,
                       static_cast<double>(m.memory()) / 1e9);
}

// A song that cannot be read does not stop the others.
bool stops_all(Error const& e) {
    return e.code == Code::cancelled || e.code == Code::io || e.code == Code::out_of_memory;
}

// The stems of all songs, of which a folder may have those of an earlier run.
std::vector<std::string> stems_of(Work const& work) {
    music::SeparateOptions const o = work.command.options.separate;
    auto const s = music::Separation::begin(work.models, work.models[0]->rate(), 2, o);
    return s ? s->stems() : work.models[0]->stems();
}

Json to_json(Work const& work, std::vector<std::string> const& notes) {
    Json j = {{"songs", work.reports},
              {"failed", work.failed},
              {"notes", notes},
              {"models", Json::array()}};
    for (music::Model const* const m : work.models)
        j["models"].push_back({{"file", m->name()},
                               {"precision", config::word_of(m->arithmetic())},
                               {"device", m->device().name()},
                               {"convolutions", m->chosen()},
                               {"memory_bytes", m->memory()},
                               {"notes", m->notes()}});
    return j;
}

void separate_all(Work& work, std::vector<SongFile> const& songs) {
    for (std::size_t k = 0; k < songs.size(); ++k) {
        std::string const title =
            songs.size() == 1 ? "separating" : fmt::format("{} of {}", k + 1, songs.size());
        auto const done = separate(work, songs[k], title);
        if (done) continue;
        work.fail(songs[k].path, done.error());
        if (stops_all(done.error())) break;
    }
}

/// The exit code: that of the last song that failed.
Result<int> run(Command& c) {
    SongFiles files = song_files(c.songs, c.out);
    SLUICE_TRY(Trace* const trace, c.common.trace.on(1));
    Work work{c, trace};
    for (SongFile const& s : files.songs)
        if (s.problem) work.fail(s.path, *s.problem);
    std::erase_if(files.songs, [](SongFile const& s) { return s.problem.has_value(); });
    if (files.songs.empty() && !c.common.json) return work.exit_code;
    std::vector<music::Model> models;
    if (!files.songs.empty()) {
        Step const step(trace, Phase::open, 0);
        SLUICE_TRY(models, load(c));
    }
    for (music::Model& m : models) work.models.push_back(&m);
    if (!models.empty()) leave_out_stems(files, stems_of(work));
    if (!c.common.json) {
        for (music::Model const& m : models) {
            say("{}\n", line_of(m));
            for (std::string const& n : m.notes()) say("note: {}\n", n);
        }
        for (std::string const& n : files.notes) say("note: {}\n", n);
    }
    separate_all(work, files.songs);
    std::vector<std::string> written;
    SLUICE_CHECK(c.common.trace.save("chunk", written));
    if (c.common.json)
        say("{}\n", text_of(to_json(work, files.notes)));
    else
        for (std::string const& file : written) say("{}\n", file);
    return work.exit_code;
}

void add_options(Verb const& app, Command& c) {
    app.add_option("song", c.songs, "sound files, or folders of them")->required();
    app.add_option("--model", c.models,
                   "a checkpoint of PyTorch (.ckpt, .pth) or .safetensors; several are joined")
        ->required()
        ->one_each();
    app.add_option("--config", c.configs,
                   "the YAML that was published with the model [MODEL.yaml]; one for each")
        ->one_each();
    app.add_option("--assume", c.model.assumed,
                   "KEY=VALUE that the YAML lacks and you know, as in act=relu; again for others")
        ->one_each();
    app.add_option("--out", c.out, "the folder where each song gets a folder of its stems")
        ->required();
    app.add_fields(music::separate_fields(), c.options.separate);
    app.add_fields(music::model_fields(), c.model);
    app.add_fields(music::song_fields(), c.options);
    c.common.add(
        app,
        {.threads = applies(),
         .device = applies("where the network runs: cpu, cuda, cuda:1 or best"),
         .json = applies(),
         .memory_limit = applies("as in 500M or 4G, of the GPU with --device cuda [what is free]"),
         .trace = applies()});
}

}  // namespace

void add_music_separate(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("separate", "songs to stems");
    auto const c = std::make_shared<Command>();
    add_options(app, *c);
    app->footer(
        "The stems of song.flac are OUT/song/Vocals.flac and so on; all appear at once.\n"
        "Examples:\n"
        "  sluice music separate song.flac --model model.ckpt --config model.yaml --out stems\n"
        "  sluice music separate album --model model.safetensors --out stems --skip-existing\n"
        "  sluice music separate song.mp3 --model model.ckpt --out stems --preset uvr --overlap 8\n"
        "  sluice music separate a.wav --model one.ckpt --model two.ckpt --out stems --stems "
        "vocals");
    app->callback([c, &exit_code] {
        auto const code = run(*c);
        exit_code = code ? *code : report(code.error());
    });
}

}  // namespace sluice::cli
