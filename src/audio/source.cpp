// Source by libsndfile, which reads through our positioned reads.
// SPDX-License-Identifier: Apache-2.0
#include "audio/source.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <utility>

#include "audio/wav_extent.h"
#include "base/file.h"

namespace sluice::audio {

struct Source::State {
    std::string name;
    std::optional<File> file;  ///< or else `bytes`
    Bytes bytes;
    std::uint64_t at = 0;
    Status failed;  ///< what the system said, which libsndfile does not pass on
    Sound sound;
    SNDFILE* handle = nullptr;
    index position = 0;  ///< frames that were read

    State() = default;
    State(State const&) = delete;
    State& operator=(State const&) = delete;
    ~State() {
        if (handle) sf_close(handle);
    }

    std::uint64_t size() const { return file ? file->size() : bytes.size(); }
    Status read(std::uint64_t offset, std::span<std::byte> out) const {
        if (file) return file->read(offset, out);
        std::ranges::copy(bytes.subspan(offset, out.size()), out.begin());
        return {};
    }
    /// "frame 441 (0.01 s)"
    std::string place(index frame) const {
        return fmt::format("frame {} ({:.3f} s)", frame,
                           static_cast<double>(frame) / std::max(sound.rate, 1));
    }
    Error error(Code code, std::string message) const { return {code, std::move(message), name}; }
};

namespace {

template <class State>
SF_VIRTUAL_IO access() {
    return {
        [](void* user) { return static_cast<sf_count_t>(static_cast<State*>(user)->size()); },
        [](sf_count_t offset, int whence, void* user) -> sf_count_t {
            auto& s = *static_cast<State*>(user);
            auto const end = static_cast<sf_count_t>(s.size());
            sf_count_t const from = whence == SEEK_SET   ? 0
                                    : whence == SEEK_CUR ? static_cast<sf_count_t>(s.at)
                                                         : end;
            // Sizes of hostile headers are anything: what leads out of the file is not gone to.
            if (offset < -from || offset > end - from) return -1;
            s.at = static_cast<std::uint64_t>(from + offset);
            return from + offset;
        },
        [](void* out, sf_count_t count, void* user) -> sf_count_t {
            auto& s = *static_cast<State*>(user);
            if (count <= 0 || s.at >= s.size()) return 0;
            auto const bytes = std::min(static_cast<std::uint64_t>(count), s.size() - s.at);
            if (auto done = s.read(s.at, {static_cast<std::byte*>(out), bytes}); !done) {
                s.failed = std::move(done);
                return 0;
            }
            s.at += bytes;
            return static_cast<sf_count_t>(bytes);
        },
        [](void const*, sf_count_t, void*) -> sf_count_t { return 0; },
        [](void* user) { return static_cast<sf_count_t>(static_cast<State*>(user)->at); },
    };
}

constexpr char const* what_is_read = "WAV, FLAC, Ogg and MP3 are read";

// The text of libsndfile ends in a full stop, or not.
std::string reason(SNDFILE* handle) {
    std::string text = sf_strerror(handle);
    while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
    return text;
}

}  // namespace

Source::Source(std::unique_ptr<State> state) : state_(std::move(state)) {}
Source::Source(Source&& other) noexcept = default;
Source& Source::operator=(Source&& other) noexcept = default;
Source::~Source() = default;

Sound const& Source::sound() const {
    return state_->sound;
}

Result<Source> Source::open(std::string const& path) {
    auto state = std::make_unique<State>();
    state->name = path;
    SLUICE_TRY(state->file, File::open(path));
    return open(std::move(state));
}

Result<Source> Source::open(Bytes bytes, std::string name) {
    auto state = std::make_unique<State>();
    state->name = std::move(name);
    state->bytes = bytes;
    return open(std::move(state));
}

Result<Source> Source::open(std::unique_ptr<State> state) {
    State& s = *state;
    if (s.size() == 0)
        return s.error(Code::truncated, "is empty (it has no bytes) give a sound file");
    std::array<std::byte, 12> first{};
    auto const some = std::min<std::uint64_t>(first.size(), s.size());
    SLUICE_CHECK(s.read(0, std::span(first).first(some)));
    if (!is_sound(std::span(first).first(some)))
        return s.error(Code::unsupported,
                       fmt::format("is no sound file that is read here (it begins like none) {}",
                                   what_is_read));
    SLUICE_TRY(auto const missing,
               missing_of_wav(s.size(), [&s](std::uint64_t offset, std::span<std::byte> out) {
                   return s.read(offset, out);
               }));
    if (missing) {
        Error e = s.error(Code::truncated,
                          fmt::format("ends too early (its header promises {} bytes of samples, "
                                      "and {} are there) copy or download it again",
                                      missing->promised, missing->there));
        e.at = missing->at + missing->there;
        return e;
    }

    SF_VIRTUAL_IO io = access<State>();
    SF_INFO info{};
    s.handle = sf_open_virtual(&io, SFM_READ, &info, &s);
    if (!s.failed) return s.failed.error();
    if (!s.handle)
        return s.error(Code::corrupt,
                       fmt::format("cannot be decoded ({}) {}", reason(nullptr), what_is_read));
    s.sound.container = container_word(info.format);
    s.sound.encoding = encoding_word(info.format);
    if (s.sound.container.empty() || s.sound.encoding.empty())
        return s.error(Code::unsupported,
                       fmt::format("has an encoding that is not read here (its number is {:#x}) "
                                   "convert it to WAV or FLAC",
                                   static_cast<unsigned>(info.format)));
    s.sound.rate = info.samplerate;
    s.sound.channels = info.channels;
    if (s.sound.rate < 1 || s.sound.channels < 1)
        return s.error(Code::corrupt,
                       fmt::format("has {} channels of {} frames per second (neither can be less "
                                   "than 1) write it again",
                                   info.channels, info.samplerate));
    // The length of an MP3 is an estimate unless all of it is decoded.
    if (s.sound.container != "MP3" && info.frames >= 0 && info.frames < SF_COUNT_MAX)
        s.sound.frames = info.frames;
    if (s.sound.frames == 0)
        return s.error(Code::truncated,
                       "holds no sound (it has a header and no frames) give "
                       "another file");
    return Source(std::move(state));
}

Result<index> Source::read(std::span<float> block) {
    State& s = *state_;
    index const frames = std::ssize(block) / s.sound.channels;
    expects(frames * s.sound.channels == std::ssize(block));
    index done = 0;
    while (done < frames) {
        float* const to = block.data() + done * s.sound.channels;
        index const got = sf_readf_float(s.handle, to, frames - done);
        if (got <= 0) break;
        done += got;
    }
    if (!s.failed) return s.failed.error();
    for (index k = 0; k < done * s.sound.channels; ++k) {
        float const v = block[static_cast<std::size_t>(k)];
        if (!std::isfinite(v))
            return s.error(Code::corrupt,
                           fmt::format("channel {} is {} at {} (samples must be finite numbers) "
                                       "write the file again",
                                       k % s.sound.channels + 1, v,
                                       s.place(s.position + k / s.sound.channels)));
    }
    s.position += done;
    if (done == frames) return done;
    if (sf_error(s.handle) != SF_ERR_NO_ERROR)
        return s.error(Code::corrupt,
                       fmt::format("cannot be decoded behind {} ({}) copy or download it again",
                                   s.place(s.position), reason(s.handle)));
    if (s.sound.frames && s.position < *s.sound.frames)
        return s.error(Code::truncated,
                       fmt::format("ends at {} (its header promises {} frames) copy or download it "
                                   "again",
                                   s.place(s.position), *s.sound.frames));
    if (s.position == 0)
        return s.error(Code::truncated,
                       "holds no sound (nothing in it can be decoded) give "
                       "another file");
    return done;
}

Result<Samples> read_all(std::string const& path) {
    SLUICE_TRY(Source source, Source::open(path));
    Samples all{source.sound(), {}};
    // The header's number of frames is not believed: memory is taken as samples come.
    std::vector<float> block(static_cast<std::size_t>(all.sound.channels * 65'536));
    index frames = 0;
    try {
        for (;;) {
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
