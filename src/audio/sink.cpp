// Sink: samples are counted, refused and rounded before an encoder has them.
// SPDX-License-Identifier: Apache-2.0
#include "audio/sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "audio/dither.h"
#include "audio/encoder.h"
#include "audio/wav_header.h"

namespace sluice::audio {

struct Sink::State {
    std::string path;
    Target target;
    std::unique_ptr<Encoder> encoder;
    std::optional<Dither> dither;
    Written written;
    std::vector<int> whole;  ///< a block as integers

    Status count(std::span<float const> block);
    void round(std::span<float const> block);
};

Sink::Sink(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sink::Sink(Sink&& other) noexcept = default;
Sink::~Sink() = default;

Result<Sink> Sink::create(std::string const& path, Target const& target) {
    SLUICE_TRY(FileKind const kind, kind_to_write(path, target));
    index const most = kind == FileKind::flac ? 8 : 256;
    // FLAC has 20 bits for the rate, RFC 9639, 8.2.
    int const fastest = kind == FileKind::flac ? 655'350 : std::numeric_limits<int>::max();
    if (target.channels < 1 || target.channels > most || target.rate < 1 || target.rate > fastest)
        return Error{Code::invalid_argument,
                     fmt::format("cannot hold {} channels of {} frames per second (1 to {} "
                                 "channels and 1 to {} frames per second can be written) choose "
                                 "others",
                                 target.channels, target.rate, most, fastest),
                     path};
    auto state = std::make_unique<State>();
    state->path = path;
    state->target = target;
    if (target.dither && target.encoding != Encoding::float32)
        state->dither.emplace(*target.dither);
    SLUICE_TRY(state->encoder,
               kind == FileKind::flac ? flac_encoder(path, target) : wav_encoder(path, target));
    return Sink(std::move(state));
}

Status Sink::State::count(std::span<float const> block) {
    for (std::size_t k = 0; k < block.size(); ++k) {
        float const v = std::fabs(block[k]);
        if (!std::isfinite(v))
            return Error{
                Code::invalid_argument,
                fmt::format("channel {} is {} at frame {} (samples must be finite numbers) "
                            "nothing was written",
                            static_cast<index>(k) % target.channels + 1, block[k],
                            written.frames + static_cast<index>(k) / target.channels),
                path};
        written.peak = std::max(written.peak, v);
        written.beyond += v > 1;
    }
    return {};
}

void Sink::State::round(std::span<float const> block) {
    double const scale = target.encoding == Encoding::pcm16 ? 0x1p15 : 0x1p23;
    whole.clear();
    for (float const v : block) {
        double const noise = dither ? dither->next() : 0;
        double const nearest = std::nearbyint(static_cast<double>(v) * scale + noise);
        whole.push_back(static_cast<int>(std::clamp(nearest, -scale, scale - 1)));
    }
}

Status Sink::write(std::span<float const> block) {
    State& s = *state_;
    expects(s.encoder != nullptr);
    index const frames = std::ssize(block) / s.target.channels;
    expects(frames * s.target.channels == std::ssize(block));
    SLUICE_CHECK(s.count(block));
    if (s.target.encoding == Encoding::float32) {
        SLUICE_CHECK(s.encoder->write(block));
    } else {
        s.round(block);
        SLUICE_CHECK(s.encoder->write(std::span<int const>(s.whole)));
    }
    s.written.frames += frames;
    return {};
}

Result<Written> Sink::finish() {
    State& s = *state_;
    expects(s.encoder != nullptr);
    SLUICE_CHECK(s.encoder->finish());
    s.encoder.reset();
    return s.written;
}

}  // namespace sluice::audio
