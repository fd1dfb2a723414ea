// A sound file through a separation into files.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "audio/sink.h"
#include "audio/source.h"
#include "audio/spool.h"
#include "base/new_folder.h"
#include "domain/music/file_name.h"
#include "sluice/music_song.h"

namespace sluice::music {
namespace {

namespace fs = std::filesystem;
using audio::Encoding;

constexpr index frames_of_a_block = 1 << 14;
constexpr std::size_t most_of_a_name = 255;

/// How the stems of a song are written.
struct Form {
    Encoding encoding = Encoding::pcm24;
    bool flac = false;
    int bits() const {
        return encoding == Encoding::pcm16 ? 16 : encoding == Encoding::pcm24 ? 24 : 0;
    }
    std::string words() const {
        return fmt::format("{}, {}", flac ? "FLAC" : "WAV",
                           bits() == 0 ? "float" : fmt::format("{}-bit", bits()));
    }
};

Form form_of(audio::Sound const& sound, SongOptions const& o) {
    Form f;
    switch (o.depth) {
        case Depth::automatic:
            f.encoding = audio::encoding_like(sound);
            break;
        case Depth::pcm16:
            f.encoding = Encoding::pcm16;
            break;
        case Depth::pcm24:
            f.encoding = Encoding::pcm24;
            break;
        case Depth::float32:
            f.encoding = Encoding::float32;
            break;
    }
    f.flac = o.format == SoundFormat::flac ||
             (o.format == SoundFormat::automatic && sound.container != "WAV" &&
              f.encoding != Encoding::float32);
    // FLAC has no floats: the song's depth is taken only where the caller chose neither format nor
    // depth.
    if (f.flac && o.depth == Depth::automatic && f.encoding == Encoding::float32)
        f.encoding = Encoding::pcm24;
    return f;
}

Status check_names(std::vector<std::string> const& stems, std::string const& song) {
    if (auto const two = names_of_one_file(stems))
        return Error{
            Code::invalid_argument,
            fmt::format("two stems are called '{}' and '{}' (each is a file, and some systems do "
                        "not tell these apart) change the YAML, or --complement",
                        two->first, two->second),
            song};
    for (std::string const& s : stems)
        if (auto const bytes = file_of(s, true).size(); bytes > most_of_a_name)
            return Error{Code::invalid_argument,
                         fmt::format("a stem's file would have a name of {} bytes (names have at "
                                     "most {}) give a shorter --complement",
                                     bytes, most_of_a_name),
                         song};
    return {};
}

bool has_all(std::string const& folder, std::vector<std::string> const& stems) {
    std::error_code ignored;
    return std::ranges::all_of(stems, [&](std::string const& s) {
        return fs::exists(fs::path(folder) / file_of(s, false), ignored) ||
               fs::exists(fs::path(folder) / file_of(s, true), ignored);
    });
}

// Whether all stems exist already; an error where another file is in the way.
Result<bool> already_there(std::string const& folder, std::vector<std::string> const& stems,
                           SongOptions const& o) {
    // A path that cannot be checked (its name is too long) is reported when it is made.
    std::error_code ignored;
    if (o.force || !fs::exists(fs::symlink_status(folder, ignored))) return false;
    if (o.skip_existing && has_all(folder, stems)) return true;
    return Error{Code::invalid_argument,
                 o.skip_existing ? "exists already, without all requested stems; replace it with "
                                   "--force, or choose another --out"
                                 : "exists already; replace it with --force, leave it with "
                                   "--skip-existing, or choose another --out",
                 folder};
}

/// The files of a song's stems, or the samples for them.
class Outputs {
  public:
    Outputs(SongReport& report, SongOptions const& options) : report_(report), options_(options) {}

    Status open(std::string const& folder, audio::Target const& target, Form const& form) {
        for (std::size_t k = 0; k < report_.stems.size(); ++k) {
            audio::Target t = target;
            if (options_.dither && form.bits() != 0) t.dither = k + 1;
            std::string const path = folder + "/" + file_of(report_.stems[k].name, form.flac);
            SLUICE_TRY(auto sink, audio::Sink::create(path, t));
            sinks_.push_back(std::move(sink));
            if (options_.clip != Clip::rescale) continue;
            SLUICE_TRY(auto spool, audio::Spool::create(folder, target.channels));
            spools_.push_back(std::move(spool));
        }
        return {};
    }

    Status write(std::size_t k, std::span<float> samples) {
        Step const step(options_.separate.trace, Phase::encode, 0);
        StemFile& stem = report_.stems[k];
        for (float& v : samples) {
            auto const magnitude = static_cast<double>(std::fabs(v));
            stem.peak = std::max(stem.peak, magnitude);
            stem.beyond += magnitude > 1;
            if (options_.clip == Clip::clamp) v = std::clamp(v, -1.0f, 1.0f);
        }
        return spools_.empty() ? sinks_[k].write(samples) : spools_[k].write(samples);
    }

    Status finish(index channels) {
        Step const step(options_.separate.trace, Phase::encode, 0);
        SLUICE_CHECK(rescale(channels));
        for (auto& s : sinks_) {
            SLUICE_TRY([[maybe_unused]] auto const written, s.finish());
        }
        return {};
    }

  private:
    // The loudest sample of all stems gets full scale; where it is below, nothing changes.
    Status rescale(index channels) {
        if (spools_.empty()) return {};
        double peak = 1;
        for (StemFile const& s : report_.stems) peak = std::max(peak, s.peak);
        report_.gain = 1 / peak;
        std::vector<float> block(static_cast<std::size_t>(frames_of_a_block * channels));
        for (std::size_t k = 0; k < spools_.size(); ++k) {
            for (index at = 0; at < spools_[k].frames();) {
                SLUICE_TRY(index const n, spools_[k].read(at, block));
                auto const some = std::span(block).first(static_cast<std::size_t>(n * channels));
                for (float& v : some) v = static_cast<float>(double(v) * report_.gain);
                SLUICE_CHECK(sinks_[k].write(some));
                at += n;
            }
        }
        return {};
    }

    SongReport& report_;
    SongOptions const& options_;
    std::vector<audio::Sink> sinks_;
    std::vector<audio::Spool> spools_;
};

// Writes the samples that a separation has ready.
Status drain(Separation& separation, Outputs& outputs, std::vector<std::vector<float>>& stems,
             std::vector<std::span<float>> const& spans, index channels) {
    while (separation.ready() > 0) {
        index const n = separation.pull(spans);
        for (std::size_t k = 0; k < stems.size(); ++k)
            SLUICE_CHECK(outputs.write(
                k, std::span(stems[k]).first(static_cast<std::size_t>(n * channels))));
    }
    return {};
}

Status run(audio::Source& source, Separation& separation, Outputs& outputs, SongReport& report,
           Trace* trace) {
    auto const size = static_cast<std::size_t>(frames_of_a_block * report.channels);
    std::vector<float> block(size);
    std::vector<std::vector<float>> stems(report.stems.size(), std::vector<float>(size));
    std::vector<std::span<float>> const spans(stems.begin(), stems.end());
    for (;;) {
        index n = 0;
        {
            Step const step(trace, Phase::decode, 0);
            SLUICE_TRY(n, source.read(block));
        }
        if (n == 0) break;
        report.frames += n;
        SLUICE_CHECK(
            separation.push(std::span(block).first(static_cast<std::size_t>(n * report.channels))));
        SLUICE_CHECK(drain(separation, outputs, stems, spans, report.channels));
    }
    SLUICE_CHECK(separation.finish());
    return drain(separation, outputs, stems, spans, report.channels);
}

Result<SongReport> separate_file(std::span<Model* const> models, std::string const& song,
                                 std::string const& folder, SongOptions const& o) {
    auto const start = std::chrono::steady_clock::now();
    SLUICE_TRY(audio::Source source, audio::Source::open(song));
    audio::Sound const& sound = source.sound();
    Form const form = form_of(sound, o);
    SeparateOptions s = o.separate;
    s.frames = sound.frames.value_or(sound.about);
    // In milliseconds, which need no rate to be understood.
    if (o.separate.progress)
        s.progress = [&, rate = static_cast<std::uint64_t>(sound.rate)](std::uint64_t done,
                                                                        std::uint64_t total) {
            return o.separate.progress(done * 1'000 / rate, total * 1'000 / rate);
        };
    s.bits = o.dither || o.clip == Clip::rescale ? 0 : form.bits();
    SLUICE_TRY(Separation separation, Separation::begin(models, sound.rate, sound.channels, s));
    SLUICE_CHECK(check_names(separation.stems(), song));
    SongReport r;
    r.song = song;
    r.folder = folder;
    r.rate = sound.rate;
    r.channels = sound.channels;
    r.written = form.words();
    r.sums_up = s.bits != 0 && separation.complements();
    for (std::string const& name : separation.stems())
        r.stems.push_back({name, (fs::path(folder) / file_of(name, form.flac)).string()});
    SLUICE_TRY(r.skipped, already_there(folder, separation.stems(), o));
    if (r.skipped) return r;
    SLUICE_TRY(NewFolder made, NewFolder::create(folder));
    Outputs outputs(r, o);
    audio::Target target;
    target.rate = sound.rate;
    target.channels = sound.channels;
    target.encoding = form.encoding;
    target.tags = sound.tags;
    SLUICE_CHECK(outputs.open(made.temporary(), target, form));
    SLUICE_CHECK(run(source, separation, outputs, r, s.trace));
    SLUICE_CHECK(outputs.finish(r.channels));
    SLUICE_CHECK(made.commit(o.force));
    r.chunks = separation.chunks();
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return r;
}

}  // namespace

Result<SongReport> separate_song(std::span<Model* const> models, std::string const& song,
                                 std::string const& folder, SongOptions const& options) {
    auto report = separate_file(models, song, folder, options);
    if (!report && report.error().file.empty()) report.error().file = song;
    return report;
}

}  // namespace sluice::music
