// Sink: a sound file that appears whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "audio/format.h"

namespace sluice::audio {

/// What became of the samples.
struct Written {
    index frames = 0;
    /// Samples beyond full scale: clipped in a file of integers, kept in one of floats.
    std::uint64_t beyond = 0;
    float peak = 0;  ///< the largest magnitude that was given; 1 is full scale
};

/// A WAV or FLAC file being written; its path says which. Beyond 4 GiB a WAV file becomes RF64. The
/// same samples give the same bytes. Without finish() nothing is left. Memory does not grow with
/// the length.
class Sink {
  public:
    static Result<Sink> create(std::string const& path, Target const& target);
    Sink(Sink&& other) noexcept;
    Sink& operator=(Sink&&) = delete;
    ~Sink();

    /// Frames as [frames][channels]. Integers are the nearest ones (ties to even), after the noise
    /// of the target's dither. Error: a sample that is not finite.
    Status write(std::span<float const> block);
    /// Gives the file its name.
    Result<Written> finish();

  private:
    struct State;
    explicit Sink(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace sluice::audio
