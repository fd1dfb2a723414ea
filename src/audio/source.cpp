// Source: who decodes a file, and what holds for the samples of all of them.
// SPDX-License-Identifier: Apache-2.0
#include "audio/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

#include "audio/decoder.h"
#include "base/run.h"
#include "format/kinds/kinds.h"
#include "format/sound/sound.h"

namespace sluice::audio {

struct Source::State {
    std::string name;
    std::unique_ptr<Decoder> decoder;
    index position = 0;  ///< frames that were read

    Error error(Code code, std::string message) const { return {code, std::move(message), name}; }
};

std::string place(Sound const& sound, index frame) {
    return fmt::format("frame {} ({:.3f} s)", frame,
                       static_cast<double>(frame) / std::max(sound.rate, 1));
}

Status Input::read(std::uint64_t offset, std::span<std::byte> out) const {
    if (file) return file->read(offset, out);
    std::ranges::copy(bytes.subspan(offset, out.size()), out.begin());
    return {};
}

namespace {

Result<std::unique_ptr<Decoder>> decoder_of(Input input) {
    if (input.size() == 0)
        return input.error(Code::truncated, "is empty (it has no bytes) give a sound file");
    std::array<std::byte, sound::most_first> first{};
    auto const some = std::span(first).first(std::min(sound::most_first, input.size()));
    SLUICE_CHECK(input.read(0, some));
    sound::Reader const reader = sound::reader_of(some);
    std::string const name = input.name;
    bool const has_path = input.file.has_value();
    ContentKind const* const kind =
        reader == sound::Reader::nobody && has_path ? kind_of(name) : nullptr;
    if (kind) return no_such_kind(name, kinds::song);
    if (reader == sound::Reader::nobody)
        return input.error(
            Code::unsupported,
            fmt::format("is not a sound file that is read here (its first bytes fit none) {}; MP4, "
                        "Matroska, WMA and others by the program ffmpeg",
                        what_is_read));
    if (reader == sound::Reader::libsndfile) {
        auto opened = open_by_libsndfile(std::move(input));
        // Codecs of WAV files are many.
        if (opened || opened.error().code != Code::unsupported || !has_path) return opened;
    } else if (!has_path) {
        return input.error(Code::unsupported,
                           "is read by the program ffmpeg, from a file only (here it is in memory) "
                           "save it first");
    }
    return open_by_ffmpeg(name);
}

}  // namespace

Source::Source(std::unique_ptr<State> state) : state_(std::move(state)) {}
Source::Source(Source&& other) noexcept = default;
Source& Source::operator=(Source&& other) noexcept = default;
Source::~Source() = default;

Sound const& Source::sound() const {
    return state_->decoder->sound();
}

Result<Source> Source::open(std::string const& path) {
    auto state = std::make_unique<State>();
    state->name = path;
    SLUICE_TRY(File file, File::open(path));
    SLUICE_TRY(state->decoder, decoder_of({path, std::move(file), {}}));
    return Source(std::move(state));
}

Result<Source> Source::open(Bytes bytes, std::string name) {
    auto state = std::make_unique<State>();
    state->name = name;
    SLUICE_TRY(state->decoder, decoder_of({std::move(name), {}, bytes}));
    return Source(std::move(state));
}

Result<index> Source::read(std::span<float> block) {
    State& s = *state_;
    index const channels = sound().channels;
    index const frames = std::ssize(block) / channels;
    expects(frames * channels == std::ssize(block));
    SLUICE_TRY(index const done, s.decoder->read(block.data(), frames));
    for (index k = 0; k < done * channels; ++k) {
        float const v = block[static_cast<std::size_t>(k)];
        if (!std::isfinite(v))
            return s.error(
                Code::corrupt,
                fmt::format("channel {} is {} at {} (samples must be finite numbers) "
                            "write the file again",
                            k % channels + 1, v, place(sound(), s.position + k / channels)));
    }
    s.position += done;
    if (done == frames) return done;
    SLUICE_CHECK(s.decoder->end(s.position));
    if (s.position == 0)
        return s.error(Code::truncated,
                       "holds no sound (nothing in it can be decoded) give another file");
    return done;
}

Result<Samples> read_all(std::string const& path, Progress const& progress) {
    SLUICE_TRY(Source source, Source::open(path));
    Samples all{source.sound(), {}};
    // The header's number of frames is not believed: memory is taken as samples come.
    std::vector<float> block(static_cast<std::size_t>(all.sound.channels * 65'536));
    index frames = 0;
    index const expected = all.sound.frames.value_or(all.sound.about);
    try {
        for (;;) {
            SLUICE_CHECK(tell_progress(progress, static_cast<std::uint64_t>(frames),
                                       static_cast<std::uint64_t>(std::max(frames, expected)), {},
                                       path));
            SLUICE_TRY(index const got, source.read(block));
            if (got == 0) break;
            frames += got;
            all.values.insert(all.values.end(), block.begin(),
                              block.begin() + got * all.sound.channels);
        }
    } catch (std::bad_alloc const&) {
        return Error{
            Code::out_of_memory,
            fmt::format("does not fit in memory (it has more than {} frames) cut it", frames),
            path};
    }
    all.sound.frames = frames;
    return all;
}

}  // namespace sluice::audio
