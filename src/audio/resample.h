// Resampler: a sound at another rate, block by block.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::audio {

/// Frames of a sound at another rate: frames * to / from, rounded; halves are rounded up. Nothing
/// if that is more than an index holds. Rates are positive.
std::optional<index> frames_at(index frames, int from, int to);

/// By libsoxr in its very high quality, linear in phase, without delay: frame k is at the time
/// k / to. Frequencies below 0.91 of the lower rate's half stay as they are; those that the new
/// rate cannot hold fall below -140 dB. Beyond both ends the sound is silent. How it is cut into
/// blocks does not change a sample. At equal rates the samples go through as they are. Memory does
/// not grow with the length. For one thread at a time.
class Resampler {
  public:
    /// Rates in frames per second, 1000 to 10 000 000, and less than 256 times each other.
    static Result<Resampler> make(int from, int to, index channels);
    Resampler(Resampler&& other) noexcept;
    Resampler& operator=(Resampler&& other) noexcept;
    ~Resampler();

    /// Takes frames as [frames][channels], and adds to `out` those that are ready.
    Status push(std::span<float const> block, std::vector<float>& out);
    /// Adds the rest, so that there are `frames` in all; without it, frames_at() what was pushed.
    /// More are those behind the end, where the sound dies away. Errors where more have been given.
    Status finish(std::vector<float>& out, std::optional<index> frames = {});

  private:
    struct State;
    explicit Resampler(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace sluice::audio
