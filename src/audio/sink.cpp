// Sink by libsndfile, on the temporary name of a NewFile.
// SPDX-License-Identifier: Apache-2.0
#include "audio/sink.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/file.h"

namespace sluice::audio {

struct Sink::State {
    std::string path;
    Target target;
    bool wav = false;
    std::optional<NewFile> file;
    SNDFILE* handle = nullptr;
    Written written;
    std::vector<int> whole;  ///< a block as integers

    State() = default;
    State(State const&) = delete;
    State& operator=(State const&) = delete;
    ~State() {
        if (handle) sf_close(handle);
    }
};

namespace {

// The integer nearest to v, in the upper bits of 32: libsndfile takes what it stores from there.
int to_whole(float v, int bits) {
    double const scale = std::ldexp(1.0, bits - 1);
    double const nearest = std::nearbyint(static_cast<double>(v) * scale);
    auto const clipped = static_cast<std::int64_t>(std::clamp(nearest, -scale, scale - 1));
    return static_cast<int>(clipped * (std::int64_t{1} << (32 - bits)));
}

}  // namespace

Sink::Sink(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sink::Sink(Sink&& other) noexcept = default;
Sink::~Sink() = default;

Result<Sink> Sink::create(std::string const& path, Target const& target) {
    SLUICE_TRY(int const format, format_to_write(path, target));
    bool const flac = (format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
    index const most = flac ? 8 : 256;
    if (target.channels < 1 || target.channels > most || target.rate < 1)
        return Error{
            Code::invalid_argument,
            fmt::format("cannot hold {} channels of {} frames per second (1 to {} channels "
                        "can be written) choose others",
                        target.channels, target.rate, most),
            path};
    auto state = std::make_unique<State>();
    state->path = path;
    state->target = target;
    state->wav = !flac;
    SLUICE_TRY(NewFile file, NewFile::create(path));
    state->file.emplace(std::move(file));
    SF_INFO info{};
    info.samplerate = target.rate;
    info.channels = static_cast<int>(target.channels);
    info.format = format;
    state->handle = sf_open(state->file->temporary().c_str(), SFM_WRITE, &info);
    if (!state->handle)
        return Error{Code::io, fmt::format("cannot be written ({})", sf_strerror(nullptr)), path};
    // The chunk of peaks holds the time of writing: equal samples would give other bytes.
    sf_command(state->handle, SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
    return Sink(std::move(state));
}

Status Sink::write(std::span<float const> block) {
    State& s = *state_;
    expects(s.handle != nullptr);
    index const frames = std::ssize(block) / s.target.channels;
    expects(frames * s.target.channels == std::ssize(block));
    index const bytes = s.target.encoding == Encoding::pcm16   ? 2
                        : s.target.encoding == Encoding::pcm24 ? 3
                                                               : 4;
    // Sizes of WAV have 32 bits; a kilobyte is more than its header has.
    index const room = ((index{1} << 32) - 1024) / (bytes * s.target.channels);
    if (s.wav && s.written.frames + frames > room)
        return Error{Code::unsupported,
                     fmt::format("would be larger than 4 GiB (WAV has no larger sizes; {} frames "
                                 "fit) write FLAC, or fewer bits",
                                 room),
                     s.path};
    for (std::size_t k = 0; k < block.size(); ++k) {
        float const v = std::fabs(block[k]);
        if (!std::isfinite(v))
            return Error{
                Code::invalid_argument,
                fmt::format("channel {} is {} at frame {} (samples must be finite numbers) "
                            "nothing was written",
                            static_cast<index>(k) % s.target.channels + 1, block[k],
                            s.written.frames + static_cast<index>(k) / s.target.channels),
                s.path};
        s.written.peak = std::max(s.written.peak, v);
        s.written.beyond += v > 1;
    }
    sf_count_t done = 0;
    if (s.target.encoding == Encoding::float32) {
        done = sf_writef_float(s.handle, block.data(), frames);
    } else {
        int const bits = s.target.encoding == Encoding::pcm16 ? 16 : 24;
        s.whole.resize(block.size());
        std::ranges::transform(block, s.whole.begin(), [&](float v) { return to_whole(v, bits); });
        done = sf_writef_int(s.handle, s.whole.data(), frames);
    }
    if (done != frames)
        return Error{Code::io,
                     fmt::format("cannot be written ({}) is the disk full?", sf_strerror(s.handle)),
                     s.path};
    s.written.frames += frames;
    return {};
}

Result<Written> Sink::finish() {
    State& s = *state_;
    expects(s.handle != nullptr);
    if (int const failed = sf_close(std::exchange(s.handle, nullptr)); failed != 0)
        return Error{
            Code::io,
            fmt::format("cannot be written ({}) is the disk full?", sf_error_number(failed)),
            s.path};
    SLUICE_CHECK(s.file->commit());
    return s.written;
}

}  // namespace sluice::audio
