// Models that were loaded, and songs that they take apart: arrays and files.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/music_separate.h"

#include "bind/music.h"
#include "sluice/music_song.h"

namespace sluice::python {
namespace {

using music::Model;
using music::SeparateOptions;
using music::SongOptions;

Model load(std::string const& path, std::optional<std::string> config,
           std::vector<std::string> assumed, std::string const& preset, std::optional<index> frames,
           std::string const& arithmetic, std::string const& device, int threads,
           std::optional<std::uint64_t> memory_limit, nb::object progress) {
    music::ModelOptions o;
    o.device = device_named(device, threads);
    o.config = std::move(config);
    o.assumed = std::move(assumed);
    o.preset = choice<music::Preset>("preset", preset);
    o.frames = frames;
    o.arithmetic = choice<music::Arithmetic>("arithmetic", arithmetic);
    o.threads = threads;
    o.memory_limit = memory_limit;
    return work(progress, [&](Telling& telling) {
        o.progress = telling.progress();
        return Model::load(path, o);
    });
}

SeparateOptions options_of(std::string const& preset, std::optional<index> overlap,
                           std::string const& window, index shifts, bool augment, index batch,
                           std::string const& join, std::vector<double> weights,
                           std::vector<std::string> stems, std::string complement, int bits,
                           index frames) {
    SeparateOptions o;
    o.preset = choice<music::Preset>("preset", preset);
    o.overlap = overlap;
    o.window = choice<music::Window>("window", window);
    o.shifts = shifts;
    o.augment = augment;
    o.batch = batch;
    o.join = choice<music::Join>("join", join);
    o.weights = std::move(weights);
    o.stems = std::move(stems);
    o.complement = std::move(complement);
    o.bits = bits;
    o.frames = frames;
    return o;
}

SongOptions song_options_of(SeparateOptions const& separate, std::string const& format,
                            std::string const& depth, bool dither, std::string const& clip,
                            bool force, bool skip_existing) {
    SongOptions o;
    o.separate = separate;
    o.format = choice<music::SoundFormat>("format", format);
    o.depth = choice<music::Depth>("bits", depth);
    o.dither = dither;
    o.clip = choice<music::Clip>("clip", clip);
    o.force = force;
    o.skip_existing = skip_existing;
    return o;
}

/// A song being separated. After an error it takes and gives nothing more.
class Separation {
  public:
    Separation(std::vector<Model*> const& models, int rate, index channels, SeparateOptions o)
        : channels_(channels) {
        for (Model const* const m : models)
            if (!m) raise({Code::invalid_argument, "a model is None; load it"});
        o.progress = [slot = progress_](std::uint64_t done, std::uint64_t total) {
            return !*slot || (*slot)(done, total);
        };
        separation_ = work(nb::none(), [&](Telling&) {
            return music::Separation::begin(models, rate, channels, o);
        });
    }

    void push(Dense<float, 2> const& block, nb::object progress) {
        open("push");
        if (static_cast<index>(block.shape(1)) != channels_)
            raise({Code::invalid_argument, "a block has " + std::to_string(block.shape(1)) +
                                               " channels; the song has " +
                                               std::to_string(channels_)});
        std::span<float const> const frames{block.data(), block.size()};
        told(progress, [&] { return separation_->push(frames); });
    }

    void finish(nb::object progress) {
        open("finish");
        finished_ = true;
        told(progress, [&] { return separation_->finish(); });
    }

    // All that is ready, or the first `most` frames of it.
    nb::list pull(std::optional<index> most) {
        if (broken_) raise({Code::invalid_argument, "the separation was stopped; begin another"});
        index const n =
            std::min(separation_->ready(), std::max<index>(0, most.value_or(separation_->ready())));
        std::vector<std::vector<float>> stems(
            separation_->stems().size(),
            std::vector<float>(static_cast<std::size_t>(n * channels_)));
        std::vector<std::span<float>> const spans(stems.begin(), stems.end());
        if (n > 0) separation_->pull(spans);
        nb::list out;
        for (std::vector<float>& s : stems) out.append(to_numpy(std::move(s), {n, channels_}));
        return out;
    }

    index ready() const { return broken_ ? 0 : separation_->ready(); }
    index chunks() const { return separation_->chunks(); }
    std::vector<std::string> const& stems() const { return separation_->stems(); }
    bool complements() const { return separation_->complements(); }

  private:
    index channels_;
    std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
    std::optional<music::Separation> separation_;
    bool finished_ = false, broken_ = false;

    void open(char const* what) const {
        if (broken_) raise({Code::invalid_argument, "the separation was stopped; begin another"});
        if (finished_)
            raise({Code::invalid_argument,
                   std::string(what) + " after finish() (the song has ended) begin another"});
    }

    template <class F>
    void told(nb::object const& progress, F&& f) {
        broken_ = true;
        work(progress, [&](Telling& telling) {
            *progress_ = telling.progress();
            Status const done = f();
            *progress_ = {};
            broken_ = !done;
            return done;
        });
    }
};

nb::dict separate_song(std::vector<Model*> const& models, std::string const& song,
                       std::string const& folder, SongOptions options, nb::object progress) {
    for (Model const* const m : models)
        if (!m) raise({Code::invalid_argument, "a model is None; load it"});
    return dict_of(work(progress, [&](Telling& telling) {
        options.separate.progress = telling.progress();
        return music::separate_song(models, song, folder, options);
    }));
}

}  // namespace

nb::dict dict_of(music::SongReport const& r) {
    nb::dict out;
    out["song"] = r.song;
    out["folder"] = r.folder;
    out["skipped"] = r.skipped;
    out["rate"] = r.rate;
    out["channels"] = r.channels;
    out["frames"] = r.frames;
    out["chunks"] = r.chunks;
    out["written"] = r.written;
    nb::list stems;
    for (music::StemFile const& s : r.stems) {
        nb::dict one;
        one["name"] = s.name;
        one["path"] = s.path;
        one["peak"] = s.peak;
        one["beyond"] = s.beyond;
        stems.append(one);
    }
    out["stems"] = stems;
    out["gain"] = r.gain;
    out["sums_up"] = r.sums_up;
    out["seconds"] = r.seconds;
    return out;
}

void add_music_separate(nb::module_& m) {
    nb::class_<Model>(m, "MusicModel")
        .def_prop_ro("name", &Model::name)
        .def_prop_ro("stems", &Model::stems)
        .def_prop_ro("notes", &Model::notes)
        .def_prop_ro("rate", &Model::rate)
        .def_prop_ro("chunk", &Model::chunk)
        .def_prop_ro("arithmetic",
                     [](Model const& model) { return name_of_choice(model.arithmetic()); })
        .def_prop_ro("why", &Model::why)
        .def_prop_ro("device", [](Model const& model) { return model.device().name(); })
        .def_prop_ro("chosen", &Model::chosen)
        .def_prop_ro("threads", &Model::threads)
        .def_prop_ro("memory", &Model::memory);
    m.def("music_load", load, "path"_a, "config"_a.none(), "assumed"_a, "preset"_a,
          "frames"_a.none(), "arithmetic"_a, "device"_a, "threads"_a, "memory_limit"_a.none(),
          "progress"_a.none());
    nb::class_<SeparateOptions>(m, "MusicSeparateOptions");
    m.def("music_separate_options", options_of, "preset"_a, "overlap"_a.none(), "window"_a,
          "shifts"_a, "augment"_a, "batch"_a, "join"_a, "weights"_a, "stems"_a, "complement"_a,
          "bits"_a, "frames"_a);
    nb::class_<SongOptions>(m, "MusicSongOptions");
    m.def("music_song_options", song_options_of, "separate"_a, "format"_a, "depth"_a, "dither"_a,
          "clip"_a, "force"_a, "skip_existing"_a);
    nb::class_<Separation>(m, "MusicSeparation")
        .def(nb::init<std::vector<Model*> const&, int, index, SeparateOptions>(), "models"_a,
             "rate"_a, "channels"_a, "options"_a)
        .def("push", &Separation::push, "block"_a.noconvert(), "progress"_a.none())
        .def("finish", &Separation::finish, "progress"_a.none())
        .def("pull", &Separation::pull, "most"_a.none())
        .def_prop_ro("ready", &Separation::ready)
        .def_prop_ro("chunks", &Separation::chunks)
        .def_prop_ro("stems", &Separation::stems)
        .def_prop_ro("complements", &Separation::complements);
    m.def("music_separate_song", separate_song, "models"_a, "song"_a, "folder"_a, "options"_a,
          "progress"_a.none());
}

}  // namespace sluice::python
