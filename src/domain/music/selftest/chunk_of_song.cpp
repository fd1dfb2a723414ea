// The middle of a song, as a chunk.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/selftest/chunk_of_song.h"

#include <fmt/format.h>

#include "audio/resample.h"
#include "audio/source.h"

namespace sluice::music {

Result<std::vector<float>> chunk_of_song(std::string const& path, index samples, index rate) {
    SLUICE_TRY(audio::Samples const song, audio::read_all(path));
    index const channels = song.sound.channels;
    if (channels > 2)
        return Error{Code::unsupported,
                     fmt::format("has {} channels; give a song in mono or stereo", channels), path};
    SLUICE_TRY(audio::Resampler resampler,
               audio::Resampler::make(song.sound.rate, static_cast<int>(rate), channels));
    std::vector<float> at_rate;
    SLUICE_CHECK(resampler.push(song.values, at_rate));
    SLUICE_CHECK(resampler.finish(at_rate));
    index const frames = static_cast<index>(at_rate.size()) / channels;
    if (frames < samples)
        return Error{Code::invalid_argument,
                     fmt::format("has {} frames at {} Hz, and a chunk takes {}; give a longer song",
                                 frames, rate, samples),
                     path};
    std::vector<float> chunk(static_cast<std::size_t>(2 * samples));
    index const first = (frames - samples) / 2;
    for (index c = 0; c < 2; ++c)
        for (index i = 0; i < samples; ++i)
            chunk[static_cast<std::size_t>(c * samples + i)] = at_rate[static_cast<std::size_t>(
                (first + i) * channels + std::min(c, channels - 1))];
    return chunk;
}

}  // namespace sluice::music
